/** How the page of `generator changes --format html` looks: by day and by night, without a font or a picture from elsewhere. */
export const CHANGES_STYLE = `:root { --page: #fbfbf9; --card: #ffffff; --text: #1d2330; --soft: #565e6c; --line: #d9dce1; --link: #1d4f91;
  --bad: #a3201d; --bad-page: #fdeceb; --good: #1b6b3a; --good-page: #e6f4ea; --calm: #48505e; --calm-page: #eceef1; --warn: #7a4b00; --warn-page: #fff2d9; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171c; --card: #1c2027; --text: #e6e9ee; --soft: #a6aebb; --line: #343b46; --link: #8fb8f0;
    --bad: #ffb3ae; --bad-page: #4a1c1b; --good: #a6e0b8; --good-page: #17381f; --calm: #c3cad5; --calm-page: #2b313b; --warn: #ffd591; --warn-page: #46340f; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.75rem; margin: 0 0 .25rem; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .5rem; display: flex; gap: .6rem; align-items: center; flex-wrap: wrap; }
h3 { font-size: 1.05rem; margin: 0 0 .5rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; }
nav ul { list-style: none; display: flex; gap: 1.25rem; padding: 0; flex-wrap: wrap; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--calm-page); padding: .1em .35em; border-radius: 4px; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; background: var(--card); border: 1px solid var(--line); }
caption { text-align: left; color: var(--soft); padding: .25rem 0; }
th, td { text-align: left; padding: .45rem .75rem; border-top: 1px solid var(--line); font-weight: normal; vertical-align: top; }
thead th { color: var(--soft); font-size: .9rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; }
.changes { list-style: none; margin: 0; padding: 0; }
.changes li { border-left: 4px solid var(--line); padding: .1rem 0 .1rem .9rem; margin: .9rem 0; }
.changes li.breaking { border-color: var(--bad); }
.changes li.adapt { border-color: var(--warn); }
.changes li.compatible { border-color: var(--good); }
.place, .advice { color: var(--soft); font-size: .92rem; }
.next { background: var(--warn-page); color: var(--warn); padding: .6rem .9rem; border-radius: 6px; }
.badge { font-size: .8rem; font-weight: 600; padding: .1rem .55rem; border-radius: 999px; white-space: nowrap; background: var(--calm-page); color: var(--calm); }
.badge.breaking, .badge.retired { background: var(--bad-page); color: var(--bad); }
.badge.compatible, .badge.published, .badge.same { background: var(--good-page); color: var(--good); }
.badge.deprecated, .badge.adapt { background: var(--warn-page); color: var(--warn); }
@media print { body { max-width: none; } article { break-inside: avoid; } }
`;
