import { htmlText } from "#runtime/base/texts";
import type {
  ChangesReport,
  ReportedChange,
  ReportedClass,
  ResourceChanges,
  VersionChanges,
} from "../commands/changes-report.js";
import { CHANGES_STYLE } from "./changes-style.js";
import {
  againstWords,
  CLASSES,
  COUNTED,
  countText,
  followsText,
  isForSomebody,
  statusWords,
} from "./changes-text.js";

/** The report as one page that needs nothing else: the state of each version and resource, and every change. */
export function changesHtml(report: ChangesReport): string {
  const { title, since, versions } = report;
  const heading = `Changes of ${title}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${htmlText(heading)}</title>
<style>
${CHANGES_STYLE}</style>
</head>
<body>
<a class="skip" href="#main">To the changes</a>
<header>
<h1>${htmlText(heading)}</h1>
<p>${htmlText(summary(report))}</p>
${navigation(report)}
</header>
<main id="main">
${versions.map((version) => section(version, since)).join("\n")}
</main>
</body>
</html>
`;
}

function summary({ versions, since }: ChangesReport): string {
  const broken = versions.filter(({ isBroken }) => isBroken).map(({ name }) => name);
  const against = since === null ? "what was promised" : since;
  const verdict =
    broken.length === 0
      ? "No published version breaks its clients."
      : `${broken.join(" and ")} would break clients.`;
  return `${verdict} The schemas are compared with ${against}.`;
}

function navigation({ versions }: ChangesReport): string {
  if (versions.length < 2) return "";
  const links = versions.map(
    ({ name, status }) =>
      `<li><a href="#${htmlText(name)}">${htmlText(name)}</a> <span class="badge ${status}">${status}</span></li>`,
  );
  return `<nav aria-label="Versions"><ul>${links.join("")}</ul></nav>`;
}

function section(version: VersionChanges, since: string | null): string {
  const { name, status, service, resources, next } = version;
  const against = againstWords(version, since);
  const whole =
    service.length === 0 ? "" : card({ name: "The version as a whole", changes: service });
  const changed = resources.filter(({ changes }) => changes.length > 0);
  return `<section id="${htmlText(name)}" aria-labelledby="${htmlText(name)}-title">
<h2 id="${htmlText(name)}-title">${htmlText(name)} <span class="badge ${status}">${htmlText(statusWords(version))}</span></h2>
<p>${htmlText(countText(version))}${against === "" ? "" : ` Compared ${htmlText(against)}.`}</p>
${next === "" ? "" : `<p class="next"><strong>Next:</strong> ${withCommands(next)}</p>`}
${states(version)}
${whole}${changed.map((one) => card(one, id(version, one.name))).join("\n")}
</section>`;
}

/** Each resource in one line. */
function states(version: VersionChanges): string {
  const rows = version.resources.map(({ name, changes }) => {
    const state = stateOf(changes, version);
    return `<tr><th scope="row">${changes.length === 0 ? htmlText(name) : `<a href="#${id(version, name)}">${htmlText(name)}</a>`}</th><td><span class="badge ${state}">${STATES[state]}</span></td><td>${changes.length === 0 ? "" : htmlText(counts(changes))}</td></tr>`;
  });
  if (rows.length === 0) return "";
  return `<table>
<caption>Its resources</caption>
<thead><tr><th scope="col">resource</th><th scope="col">state</th><th scope="col">changes</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`;
}

type State = ReportedClass | "same" | "new";

const STATES: Readonly<Record<State, string>> = {
  breaking: "breaks clients",
  adapt: "clients have to adapt",
  compatible: "extended",
  operational: "operated differently",
  internal: "same for clients",
  same: "as it was",
  new: "not promised yet",
};

function stateOf(changes: readonly ReportedChange[], { baseline }: VersionChanges): State {
  if (baseline.kind === "nothing") return "new";
  return CLASSES.find((one) => changes.some((change) => change.class === one)) ?? "same";
}

function counts(changes: readonly ReportedChange[]): string {
  return CLASSES.map(
    (one) => [changes.filter((change) => change.class === one).length, one] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, one]) => `${count} ${COUNTED[one]}`)
    .join(", ");
}

function card({ name, changes }: ResourceChanges, anchor = ""): string {
  const items = CLASSES.flatMap((one) => changes.filter((change) => change.class === one)).map(
    item,
  );
  return `<article${anchor === "" ? "" : ` id="${anchor}"`}><h3>${htmlText(name)}</h3>
<ul class="changes">
${items.join("\n")}
</ul></article>`;
}

function item(change: ReportedChange): string {
  const { file, line, column, kind, sentence, reasons, advice } = change;
  const why = reasons.map((reason) => `<p>${htmlText(reason)}</p>`).join("");
  const todo = isForSomebody(change) ? `<p class="advice">${withCode(advice)}</p>` : "";
  return `<li class="${change.class}"><p><span class="badge ${change.class}">${change.class}</span> ${withCode(sentence + followsText(change))}</p>${why}${todo}
<p class="place"><code>${htmlText(`${file}:${line}:${column}`)}</code> ${htmlText(kind)}</p></li>`;
}

function id({ name }: VersionChanges, resource: string): string {
  return htmlText(`${name}-${resource}`);
}

/** What stands between back-quotes is code. */
function withCode(text: string): string {
  return htmlText(text).replace(/`([^`]*)`/g, "<code>$1</code>");
}

/** A command stands at the end of its sentence. */
function withCommands(text: string): string {
  return withCode(text).replace(
    /(generator (?:publish|version|generate)[ a-z0-9]*?)(?=$| adds)/g,
    "<code>$1</code>",
  );
}
