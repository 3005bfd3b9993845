/**
 * The rules of which something can be seen from outside, on a service that runs: `generator verify` tries those that
 * are supported.
 */
export const VERIFIED: ReadonlySet<string> = new Set([
  ...["NAM-1", "NAM-2"],
  ...["IDN-1", "IDN-2", "IDN-4"],
  ...["ENT-1", "ENT-2", "ENT-3", "ENT-4"],
  ...["REP-1", "REP-2", "REP-3", "REP-4", "REP-5", "REP-6", "REP-7", "REP-8"],
  ...["COL-1", "COL-2"],
  ...["STA-1", "STA-2", "STA-3"],
  ...["OPS-1", "OPS-2", "OPS-3", "OPS-4", "OPS-5", "OPS-6", "OPS-7", "OPS-8", "OPS-9", "OPS-10"],
  ...["OPS-11", "OPS-12"],
  ...["CHD-1", "CHD-2", "CHD-3", "CHD-4"],
  ...["QRY-1", "QRY-2", "QRY-3", "QRY-4", "QRY-5", "QRY-6"],
  ...["ALI-1"],
  ...["AUT-1", "AUT-2", "AUT-3"],
  ...["EVT-1"],
  ...["ERR-1", "ERR-2", "ERR-3", "ERR-4"],
  ...["LIM-1", "LIM-2"],
  ...["VER-1", "VER-2", "VER-4", "VER-5"],
]);
