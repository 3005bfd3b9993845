// The part of recheck without worker threads, JVM or native binary; it has no types of its own.
declare module "recheck/lib/browser.js" {
  export { checkSync } from "recheck";
  const exported: { readonly checkSync: typeof import("recheck").checkSync } | undefined;
  export default exported;
}
