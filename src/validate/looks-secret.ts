/** Patterns of tokens and keys of widespread services. */
const SECRETS =
  /-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[opsur]_[A-Za-z0-9]{36}|\bgithub_pat_\w{22}|\bglpat-[\w-]{20}|\b[rs]k_(?:live|test)_\w{16}|\bxox[abprs]-\w{10}|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{6,}|\bnpm_[A-Za-z0-9]{36}|\bAIza[\w-]{35}/;

const SECRET_NAMES = /password|passphrase|secret|token|apiKey|privateKey|credential/i;

/** Says whether a text is probably a secret, by its form or by the name of the property whose default it is. */
export function looksSecret(value: unknown, name: string): boolean {
  if (typeof value !== "string") return false;
  return SECRETS.test(value) || (SECRET_NAMES.test(name) && value.length >= 6);
}
