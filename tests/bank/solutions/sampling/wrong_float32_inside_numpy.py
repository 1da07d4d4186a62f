"""Everything after the ranking is in float32."""

import numpy as np
def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    ranked = np.argsort(-logits, kind="stable")
    if top_k > 0: ranked = ranked[:top_k]
    x=(logits.astype(np.float32)/np.float32(temperature))
    def sm(z):
        w=np.exp(z-z.max()); return w/w.sum()
    p=sm(x[ranked]); better=np.cumsum(p)-p
    kept=np.sort(ranked[(better<top_p)&(p>0)])
    c=np.cumsum(sm(x[kept]))
    return int(kept[min(np.searchsorted(c,u,side="right"),len(kept)-1)])
