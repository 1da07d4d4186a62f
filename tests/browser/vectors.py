"""Texts that become a script, a form or a style where a page forgets to escape them: each with a
number that a reader still sees.

`MARK` stands for that number. A script of a vector would set `window.xss`; its elements have the
attribute `xss`. Sources: OWASP's and PortSwigger's cheat sheets, Cure53's notes on mutation (mXSS),
and what latex2mathml leaves as it is.
"""

HTML = [  # for any text, of any length
    "<script xss>window.xss=1</script>MARK",
    "<script xss src=//elsewhere.example/x.js></script>MARK",
    "<ScRiPt xss>window.xss=1</sCrIpT>MARK",
    "</script><script xss>window.xss=1</script>MARK",
    "</title><script xss>window.xss=1</script>MARK",
    "</textarea><script xss>window.xss=1</script>MARK",
    "</template><script xss>window.xss=1</script>MARK",
    "</option></select><img xss src=x onerror=window.xss=1>MARK",
    "<img xss src=x onerror=window.xss=1>MARK",
    "<img/xss/src=x/onerror=window.xss=1>MARK",
    '"><img xss src=x onerror=window.xss=1>MARK',
    "'><img xss src=x onerror=window.xss=1>MARK",
    '" autofocus onfocus=window.xss=1 xss="MARK',
    "' autofocus onfocus=window.xss=1 xss='MARK",
    "` onmouseover=window.xss=1 xss=`MARK",
    "<svg xss onload=window.xss=1>MARK",
    "<svg xss><script>window.xss=1</script></svg>MARK",
    "<svg xss><animate onbegin=window.xss=1 attributeName=x dur=1s>MARK",
    "<svg xss><use href=data:image/svg+xml,x></use></svg>MARK",
    "<iframe xss src=javascript:window.xss=1></iframe>MARK",
    "<iframe xss srcdoc='<script>parent.xss=1</script>'></iframe>MARK",
    "<object xss data=javascript:window.xss=1></object>MARK",
    "<embed xss src=javascript:window.xss=1>MARK",
    "<a xss href=javascript:window.xss=1>MARK</a>",
    "<a xss href='java&#9;script:window.xss=1'>MARK</a>",
    "<form xss action=/manage method=post><button>MARK</button></form>",
    "<button xss form=file-form formaction=//elsewhere.example>MARK</button>",
    "<input xss type=image src=x onerror=window.xss=1>MARK",
    "<input xss name=csrf_token value=MARK>",
    "<base xss href=//elsewhere.example/>MARK",
    "<meta xss http-equiv=refresh content='0;url=//elsewhere.example'>MARK",
    "<meta xss http-equiv=Content-Security-Policy content=\"script-src 'none'\">MARK",
    "<link xss rel=stylesheet href=//elsewhere.example/x.css>MARK",
    "<style xss>body{display:none}</style>MARK",
    "<div xss style=position:fixed;inset:0>MARK</div>",
    "<details xss open ontoggle=window.xss=1>MARK</details>",
    "<video xss><source onerror=window.xss=1></video>MARK",
    "<audio xss src=x onerror=window.xss=1></audio>MARK",
    "<body xss onload=window.xss=1>MARK",
    "<marquee xss onstart=window.xss=1>MARK</marquee>",
    "<math xss><mtext><img src=x onerror=window.xss=1></mtext></math>MARK",
    "<math><a xss xlink:href=javascript:window.xss=1>MARK</a></math>",
    "<noscript><p title='</noscript><img xss src=x onerror=window.xss=1>'>MARK",
    "<!--<img src='--><img xss src=x onerror=window.xss=1>'>MARK",
    "<![CDATA[<img xss src=x onerror=window.xss=1>]]>MARK",
    "&lt;img xss src=x onerror=window.xss=1&gt;MARK",
    "&#60;img xss src=x onerror=window.xss=1&#62;MARK",
    "{{ 7*7 }}{% raw %}MARK{% endraw %}",
    "${window.xss=1}MARK",
    "javascript:window.xss=1//MARK",
    "%3Cimg%20xss%20src=x%20onerror=window.xss=1%3EMARK",
    "\\u003cimg xss src=x onerror=window.xss=1\\u003eMARK",
    "\u202e<img xss src=x onerror=window.xss=1>MARK",
    "\uff1cimg xss src=x onerror=window.xss=1\uff1eMARK",
]

SHORT = [  # at most 40 characters: a name on a leaderboard
    "<b xss>MARK",
    "<img xss src=x onerror=xss=1>MARK",
    '"onfocus=xss=1 autofocus xss="MARK',
    "</td><form xss>MARK",
    "<svg xss onload=xss=1>MARK",
    "<base xss href=//e>MARK",
    "<script xss>xss=1</script>MARK",
    "&lt;b xss&gt;MARK",
]

MARKDOWN = [
    "[MARK](javascript:window.xss=1)",
    "[MARK](JaVaScRiPt:window.xss=1)",
    "[MARK](java\tscript:window.xss=1)",
    "[MARK](&#106;avascript:window.xss=1)",
    "[MARK](vbscript:window.xss=1)",
    "[MARK](data:text/html,<script>window.xss=1</script>)",
    "[MARK](file:///etc/passwd)",
    "[MARK](<javascript:window.xss=1>)",
    "<javascript:window.xss=1>MARK",
    '[MARK](http://a.example/"onmouseover="window.xss=1)',
    "[MARK](http://a.example 'x\" onmouseover=\"window.xss=1')",
    '[MARK][r]\n\n[r]: javascript:window.xss=1 "x"',
    "![MARK](http://elsewhere.example/x.png)",
    "![MARK](/language/zh)",
    '![MARK](x"onerror="window.xss=1)',
    "![MARK](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9InhzcygpIi8+)",
    '<http://a.example/"onclick=window.xss=1>MARK',
    "```<img xss src=x onerror=window.xss=1>\nMARK\n```",
    (
        '```python"onclick="window.xss=1\n# MARK </code></pre><img xss src=x'
        " onerror=window.xss=1>\n```"
    ),
    "```html\n<script xss>window.xss=1</script>MARK\n```",
    "    <script xss>window.xss=1</script>MARK",
    "`<img xss src=x onerror=window.xss=1>`MARK",
    '| <img xss src=x onerror=window.xss=1> |\n|:--"onclick=window.xss=1|\n| MARK |',
    "| a |\n|:-:|\n| <form xss> MARK |",
    "> <form xss action=/manage>\n> MARK",
    "1. <base xss href=//elsewhere.example>MARK",
    "# <img xss src=x onerror=window.xss=1>MARK",
    "**<img xss src=x onerror=window.xss=1>**MARK",
    "<div xss>\n\nMARK\n\n</div>",
    "<script xss>\nwindow.xss=1\n</script>\n\nMARK",
    "<!-- -->\n<img xss src=x onerror=window.xss=1>MARK",
    "<?php <img xss src=x onerror=window.xss=1> ?>MARK",
    "<!DOCTYPE x [<img xss src=x onerror=window.xss=1>]>MARK",
    "&lt;script&gt;window.xss=1&lt;/script&gt;MARK",
    "[[sample: <img xss src=x onerror=window.xss=1>MARK]]",
    "\\<img xss src=x onerror=window.xss=1\\>MARK",
]

# between dollars; a space in `\text` becomes another one, so a slash stands between attributes
LATEX = [
    r"\text{<form/xss/action=/manage/method=post><button/name=role/value=admin>x</button></form>}",
    r"\text{<img/xss/src=x/onerror=window.xss=1>}",
    r"\text{</mtext></math><iframe/xss/srcdoc=x></iframe>}",
    r"\textbf{<base/xss/href=//elsewhere.example>}",
    r"\mbox{<meta/xss/http-equiv=refresh/content=0>}",
    r"\fbox{<link/xss/rel=stylesheet/href=//elsewhere.example>}",
    r"\verb|<svg/xss/onload=window.xss=1>|",
    r"\text{<form xss action=/manage method=post><button>x</button></form>}",
    r"\text{<img xss src=x onerror=window.xss=1>}",
    r"\text{<script xss>window.xss=1</script>}",
    r"\text{</math><img xss src=x onerror=window.xss=1>}",
    r"\text{</mtext></math><style xss>*{display:none}</style>}",
    r"\text{&lt;img xss src=x onerror=window.xss=1&gt;}",
    r"\text{&#x3c;img xss src=x onerror=window.xss=1&#x3e;}",
    r"\text{\text{<base xss href=//elsewhere.example>}}",
    r"\frac{\text{<iframe xss src=/manage>}}{\sqrt{\text{<object xss>}}}",
    r"\textbf{<meta xss http-equiv=refresh content=0>}",
    r"\texttt{<link xss rel=stylesheet href=//elsewhere.example>}",
    r"\mbox{<form xss>}\hbox{<form xss>}\fbox{<form xss>}",
    r"\tag{<form xss>}",
    r"\verb|<form xss>|",
    r"\operatorname{<form xss>}",
    r"\operatorname*{<img xss src=x onerror=window.xss=1>}",
    r"\href{javascript:window.xss=1}{x}",
    r"\href{//elsewhere.example}{\text{<a xss href=javascript:window.xss=1>}}",
    r"\style{position:fixed;inset:0;background:red}{x}",
    r'\style{"onclick="window.xss=1}{x}',
    r"\class{flash}{x}",
    r'\class{x" onclick="window.xss=1}{x}',
    r'\color{red" onclick="window.xss=1}x',
    r"\textcolor{<img xss src=x onerror=window.xss=1>}{x}",
    r"\colorbox{url(//elsewhere.example)}{x}",
    r"\unicode{x3c}img xss\unicode{x3e}",
    r"\unicode{x3c;script xss>window.xss=1</script}",
    r'\rule{1em" onclick="window.xss=1}{1em}',
    r"\rule{99999px}{99999px}",
    r"\raise 9999px{\text{up}}",
    r'\hspace{1em" onclick="window.xss=1}',
    r"\newcommand{\a}{\text{<form xss>}}\a",
    r"\def\b{\text{<img xss src=x onerror=window.xss=1>}}\b",
    r"\begin{matrix}\text{<form xss>}&<img xss src=x onerror=window.xss=1>\\\end{matrix}",
    r"\begin{<form xss>}x\end{<form xss>}",
    r"\left<img xss src=x onerror=window.xss=1\right>",
    r"<img xss src=x onerror=window.xss=1>",
    r"x_{<form xss>}^{<form xss>}",
    (
        r"\text{<math><mtext><table><mglyph><style><!--</style><img xss title='--&gt;&lt;img src=x"
        r" onerror=window.xss=1&gt;'>}"
    ),
    r"\text{<svg xss></p><style><a id='</style><img xss src=x onerror=window.xss=1>'>}",
    (
        r"\text{<annotation-xml encoding='text/html'><img xss src=x"
        r" onerror=window.xss=1></annotation-xml>}"
    ),
    r"\text{<maction xss actiontype=statusline xlink:href=javascript:window.xss=1>x</maction>}",
]


def numbered(vectors: list[str], name: str) -> list[tuple[str, str]]:
    """(mark, vector): each has a mark of its own."""
    return [
        (f"{name}{i}v", vector.replace("MARK", f"{name}{i}v"))
        for i, vector in enumerate(vectors, 1)
    ]


def statement(name: str) -> tuple[list[str], str]:
    """The marks, and a statement with all of them: in paragraphs, in formulas and between blocks."""
    marks, blocks = [], []
    for mark, vector in numbered(HTML, f"{name}html") + numbered(MARKDOWN, f"{name}md"):
        marks.append(mark)
        blocks.append(vector)
    for i, latex in enumerate(LATEX, 1):
        marks.append(f"{name}tex{i}v")
        blocks += [f"{name}tex{i}v ${latex}$", f"$${latex}$$"]
    return marks, "# A title\n\n" + "\n\n".join(blocks) + "\n"
