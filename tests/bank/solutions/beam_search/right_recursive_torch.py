"""A turn is a call of itself, and results come back in order."""
import torch


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    def turn(texts, sums, unread, cache, left):
        if left == 0 or not texts:
            return list(zip(texts, sums))
        scores, cache = step(unread, cache)
        totals = torch.stack(sums)[:, None] + scores[:, -1]
        order = torch.argsort(-totals.flatten(), stable=True)[:width].tolist()
        pairs = [divmod(i, totals.shape[1]) for i in order]
        new = [(texts[row] + [word], totals[row, word], row) for row, word in pairs]
        done = [(text, value) for text, value, _ in new if text[-1] == stop]
        rest = [entry for entry in new if entry[0][-1] != stop]
        if not rest:
            return done
        unread = torch.tensor([text[-1:] for text, _, _ in rest])
        cache = cache[[row for *_, row in rest]]
        return done + turn([t for t, *_ in rest], [v for _, v, _ in rest], unread, cache, left - 1)

    results = turn([[]], [torch.zeros(())], prompt[None], None, max_new)
    scored = [(value / len(text) ** alpha, -i) for i, (text, value) in enumerate(results)]
    score, i = max(scored, key=lambda pair: (float(pair[0]), pair[1]))
    return torch.tensor(results[-i][0]), score
