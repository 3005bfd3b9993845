import { expect, test } from "vitest";
import { isPublic, lookUpPublic, PrivateAddress, isSecret } from "#runtime/events/webhooks";

test.each([
  ["8.8.8.8", true],
  ["2606:4700::1111", true],
  ["127.0.0.1", false],
  ["10.1.2.3", false],
  ["172.31.255.255", false],
  ["172.32.0.1", true],
  ["192.168.0.10", false],
  ["169.254.169.254", false],
  ["100.100.1.1", false],
  ["0.0.0.0", false],
  ["::1", false],
  ["fd00::1", false],
  ["fe80::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:a9fe:a9fe", false],
  ["64:ff9b::7f00:1", false],
  ["::", false],
  ["::7f00:1", false],
  ["::8.8.8.8", false],
  ["::ffff:8.8.8.8", true],
  ["::ffff:0:8.8.8.8", false],
  ["3fff::1", false],
  ["5f00::1", false],
  ["fe80::1%eth0", false],
])("%s is an address of a public host: %s", (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});

test("a host that leads to this machine is refused when it is looked up", async () => {
  const error = await new Promise((resolve) =>
    lookUpPublic("localhost", {}, (refused) => resolve(refused)),
  );
  expect(error).toBeInstanceOf(PrivateAddress);
});

test.each([
  ["", false],
  ["whsec_", false],
  ["whsec_c2hvcnQ=", false],
  ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", false],
  ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", true],
  ["whsec_+/KQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", true],
  ["whsec_-_KQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", false],
  ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA==", true],
  ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAA", false],
  ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAB==", false],
  ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n", false],
])("%j is a secret: %s", (secret, expected) => {
  expect(isSecret(secret)).toBe(expected);
});
