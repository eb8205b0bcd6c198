"""The look of every page: light and dark, wide and narrow, screen and paper."""

COLOURS = """
:root { --ink: #1d2329; --paper: #fff; --soft: #59636e; --line: #d8dde2; --head: #f4f6f7; --link: #1a5598;
  --bad: #b0241b; --good: #17683a; --warn: #7d5200; --bad-back: #fdeeec; --good-back: #e9f5ed; --warn-back: #fcf3dc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ea; --paper: #14171a; --soft: #9ca6af; --line: #353c43;
  --head: #1e2328; --link: #8fbdf2; --bad: #ff968c; --good: #84d7a0; --warn: #e9bf6a; --bad-back: #371e1c;
  --good-back: #173022; --warn-back: #332a16; } }
"""
"""Their contrast is at least 4.5 to 1 on each of the grounds on which they stand (WCAG 2.1, 1.4.3)."""

TEXT = """
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main, .top { max-width: 74rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 .3rem; text-wrap: balance; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.6rem 0 .6rem; }
h3 { font-size: 1.08rem; line-height: 1.35; margin: 1.6rem 0 .4rem; }
h4 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .3rem 0 .8rem; } ul, ol { margin: .3rem 0 .8rem; padding-left: 1.5rem; } li { margin: .15rem 0; }
a { color: var(--link); text-decoration-thickness: .06em; text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, kbd { font: .92em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
p code, li code, dd code, .end { overflow-wrap: anywhere; } h1 code, h2 code, h3 code, th code { font-weight: 600; }
.soft { color: var(--soft); } .bad-word { color: var(--bad); } .good-word { color: var(--good); }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .5rem; background: var(--paper); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; margin: .8rem 0; }
th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; } thead th { color: var(--soft); font-weight: 500; }
footer { margin-top: 3rem; padding-top: .8rem; border-top: 1px solid var(--line); color: var(--soft);
  font-size: .85rem; }
details > summary { cursor: pointer; padding: .45rem 0; }
.wide { overflow-x: auto; }
@media (max-width: 40rem) { body { font-size: 15px; } main, .top { padding-left: 1rem; padding-right: 1rem; }
  h1 { font-size: 1.5rem; } }
"""

CODE = """
pre.code { margin: .6rem 0; padding: .55rem 0; background: var(--head); border: 1px solid var(--line);
  border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4;
  font: .84rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.l { display: block; position: relative; padding: 0 .8rem 0 calc(var(--gutter, 2) * 1ch + 4.2ch); text-indent: -2ch; }
.l::before { content: attr(data-n); position: absolute; left: .8ch; width: calc(var(--gutter, 2) * 1ch);
  text-align: right; text-indent: 0; color: var(--soft); user-select: none; }
.l.here { background: color-mix(in srgb, var(--soft) 12%, transparent); }
.l.gap { color: var(--soft); }
mark { background: none; color: inherit; padding-bottom: 1px; border-bottom: 2px solid var(--soft); }
mark.error { border-bottom: 2px solid var(--bad); background: var(--bad-back); }
mark.warning { border-bottom: 2px dashed var(--warn); background: var(--warn-back); }
mark.place { border-bottom: 2px dotted var(--link); }
.note { display: block; white-space: normal; padding: .15rem .8rem .3rem calc(var(--gutter, 2) * 1ch + 2.2ch);
  font: .88rem/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: var(--soft); }
.note::before { content: "↑ "; } .note.error { color: var(--bad); } .note.warning { color: var(--warn); }
"""

STORY = """
.twins { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 1.2rem; }
.twin { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; min-width: 0; }
.twin.bad { border-top: 4px solid var(--bad); } .twin.good { border-top: 4px double var(--good); }
.twin > :first-child { margin-top: 0; } .twin > pre.code + ol { margin-top: .8rem; }
.twin.bad > :first-child { color: var(--bad); } .twin.good > :first-child { color: var(--good); }
.story { padding-left: 1.7rem; margin: 0 0 1rem; }
.story .end { font-weight: 600; list-style: none; margin: .6rem 0 0 -1.7rem; padding: .5rem .7rem;
  border-radius: 6px; }
.bad .end { background: var(--bad-back); } .good .end { background: var(--good-back); }
.twin td, .twin li { overflow-wrap: anywhere; }
svg.sequence { display: block; margin: 0 auto; min-width: 27rem; max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.who rect { fill: var(--head); stroke: var(--line); } .who path { stroke: var(--line); stroke-dasharray: 4 4; }
.message path { stroke: var(--ink); fill: none; stroke-width: 1.3; } .message.lost path { stroke: var(--bad); }
.message.lost text { fill: var(--bad); } .happens circle { fill: var(--soft); } .happens text { fill: var(--soft); }
.tip { fill: var(--ink); }
"""

MATRIX = """
.matrix { border-collapse: separate; border-spacing: 2px; font-size: .85rem; width: auto; }
.matrix th, .matrix td { border: 0; }
.matrix thead th { vertical-align: bottom; padding: .25rem .4rem; min-width: 4.5rem; line-height: 1.25; }
.matrix thead th:first-child { padding-left: 0; }
.matrix tbody th { padding: .35rem .7rem .35rem 0; position: sticky; left: 0; background: var(--paper); }
.matrix tbody th small { display: block; font-weight: 400; color: var(--soft); }
.matrix td { padding: .35rem .4rem; border-radius: .3rem; line-height: 1.25; }
.matrix a { color: inherit; }
td.good { background: var(--good-back); color: var(--good); }
td.bad { background: var(--bad-back); color: var(--bad); font-weight: 700; }
td.person { background: var(--warn-back); color: var(--warn); }
td.none { color: var(--soft); text-align: center; }
svg.states { display: block; }
.state rect { fill: var(--head); stroke: var(--soft); stroke-width: 1; }
.state.end rect { fill: var(--good-back); stroke: var(--good); }
.state.person rect { fill: var(--warn-back); stroke: var(--warn); stroke-dasharray: 3 2; }
.state text { font: 600 10.5px system-ui, sans-serif; text-anchor: middle; fill: var(--ink); }
.arrow path { fill: none; stroke: var(--soft); stroke-width: 1.3; }
.arrow text { font: 11px system-ui, sans-serif; fill: var(--soft); stroke: var(--paper); stroke-width: 5px;
  stroke-linejoin: round; paint-order: stroke; }
.arrow.bad path { stroke: var(--bad); stroke-width: 2; } .arrow.bad text { fill: var(--bad); font-weight: 700; }
.tip-bad { fill: var(--bad); } .tip-soft { fill: var(--soft); }
@media print { .matrix { font-size: .72rem; } .matrix thead th { min-width: 0; }
  .matrix tbody th { position: static; } svg.states { max-width: 100%; height: auto; } }
"""

PAPER = """
@media print { :root { --ink: #000; --paper: #fff; --soft: #444; --line: #bbb; --head: #f6f6f6; --link: #000;
    --bad: #9b1c14; --good: #145a32; --warn: #6b4600; --bad-back: #fdeeec; --good-back: #e9f5ed;
    --warn-back: #fcf3dc; }
  html { font-size: 12px; } body { font-size: 1rem; } main { padding: 0; max-width: none; }
  .top, .skip, .onscreen { display: none; }
  h1, h2, h3, h4, summary { break-after: avoid; } .l, tr, li, .note { break-inside: avoid; }
  .twins { grid-template-columns: 1fr 1fr; gap: .6rem; font-size: .92rem; } .twin { padding: .6rem; }
  .wide { overflow: visible; } svg.sequence { min-width: 0; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  details > summary { list-style: none; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
"""
"""Folded parts are open on paper (`::details-content`: CSS Pseudo-Elements 4)."""

STYLE = COLOURS + TEXT + CODE + STORY + MATRIX + PAPER
