"""What the matrix's page adds to the style sheet of all pages."""

PAGE = """
.place { color: var(--soft); margin: 0; font-size: .9rem; }
.sum { padding: .6rem .9rem; border-radius: .5rem; font-weight: 600; }
.sum.good { background: var(--good-back); color: var(--good); }
.sum.bad { background: var(--bad-back); color: var(--bad); }
.legend { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; font-size: .85rem;
  color: var(--soft); margin: 0 0 1.5rem; }
.legend dt { font-weight: 600; color: var(--ink); } .legend dd { margin: 0; }
article { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.1rem; margin: 1rem 0; }
article h3 { margin-top: 0; overflow-wrap: anywhere; }
article > p { margin: .1rem 0 .4rem; color: var(--soft); font-size: .9rem; }
article > p.warning { color: var(--bad); font-weight: 600; }
.told { background: var(--head); border-radius: .5rem; padding: .2rem 1rem; margin: .7rem 0; }
.told:target { outline: 2px solid var(--link); } .told summary b { color: var(--bad); }
.told ol { margin: .35rem 0 .7rem; font-size: .92rem; } .told li:last-child { font-weight: 600; }
@media print { article, .told { break-inside: avoid; } }
"""
