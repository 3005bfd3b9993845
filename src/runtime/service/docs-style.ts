const STYLE = `
.swagger-ui .topbar .link { display: none; }
.swagger-ui .scheme-container .schemes-server-container { display: none; }
.swagger-ui .scheme-container:not(:has(.auth-wrapper)) { display: none; }
`;
const NO_CHOICE = ".swagger-ui .topbar { display: none; }\n";

/** The style of /docs on top of Swagger's: no choice is offered where there is only one version, or server. */
export function docsStyle(versions: number): string {
  return versions > 1 ? STYLE : STYLE + NO_CHOICE;
}
