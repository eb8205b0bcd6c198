"""The look of a demonstration's page: light and dark, wide and narrow, screen and paper."""

STYLE = """
:root { --ink: #1d2327; --paper: #fff; --soft: #5c6670; --line: #d5dade; --bad: #b3261e; --good: #1b6e3a;
  --bad-back: #fdeceb; --good-back: #e8f5ec; --head: #f3f5f6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ea; --paper: #15181b; --soft: #9aa4ad; --line: #343b41;
  --bad: #ff8f86; --good: #7fd69b; --bad-back: #3a1d1b; --good-back: #16301f; --head: #22272b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .3rem; }
h3 { font-size: 1rem; margin: 0 0 .6rem; }
p { margin: .2rem 0 .8rem; } .soft { color: var(--soft); }
.twins { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1.2rem; }
article { border: 1px solid var(--line); border-radius: 10px; padding: 1rem; min-width: 0; break-inside: avoid; }
article.bad { border-top: 4px solid var(--bad); } article.good { border-top: 4px solid var(--good); }
article.bad h3 { color: var(--bad); } article.good h3 { color: var(--good); }
ol { padding-left: 1.6rem; margin: 0 0 1rem; } li { margin: .15rem 0; }
li.end { font-weight: 600; list-style: none; margin: .6rem 0 0 -1.6rem; padding: .5rem .7rem; border-radius: 6px; }
.bad li.end { background: var(--bad-back); } .good li.end { background: var(--good-back); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin-top: .8rem; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 500; } td.key { overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
svg.sequence { display: block; margin: 0 auto; max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.who rect { fill: var(--head); stroke: var(--line); } .who path { stroke: var(--line); stroke-dasharray: 4 4; }
.message path { stroke: var(--ink); fill: none; stroke-width: 1.3; } .message.lost path { stroke: var(--bad); }
.message.lost text { fill: var(--bad); } .note circle { fill: var(--soft); } .note text { fill: var(--soft); }
.tip { fill: var(--ink); }
footer { margin-top: 2rem; color: var(--soft); font-size: .85rem; }
@media print { body { font-size: 11pt; } main { padding: 0; max-width: none; } .twins { display: block; }
  article { margin-bottom: 1rem; } }
"""
