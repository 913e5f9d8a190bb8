import { assert, it } from "@effect/vitest"
import { isPublicAddress, isRefusedLiteral } from "../../src/network/PublicAddress.ts"

const open = ["1.1.1.1", "172.15.255.255", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2001:200::1"]
const hidden4 = [
  ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "169.254.169.254", "172.16.0.1"],
  ...["172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.19.255.255", "198.51.100.7"],
  ...["203.0.113.9", "224.0.0.1", "255.255.255.255", "168.63.129.16"]
]
const hidden6 = [
  ...["::", "::1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "100::1"],
  ...["2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1", "fe80::1", "fec0::1", "ff02::1"]
]

it("tells addresses of the internet from those of a machine or its networks", () => {
  for (const address of open) assert.isTrue(isPublicAddress(address), address)
  for (const address of [...hidden4, ...hidden6]) assert.isFalse(isPublicAddress(address), address)
  for (const text of ["", "x", "8.8.8", "08.8.8.8", "[::1]", "fe80::1%eth0", "2606:4700::1111%1"]) {
    assert.isFalse(isPublicAddress(text), text)
  }
})

it("refuses hosts of URLs that are addresses of a machine or its networks, and leaves names to whoever looks them up", () => {
  const bracketed = hidden6.map((it) => `[${it}]`)
  for (const host of [...hidden4, ...bracketed, "[::ffff:a9fe:a9fe]"]) assert.isTrue(isRefusedLiteral(host), host)
  for (const host of ["1.1.1.1", "[2606:4700::1111]", "localhost", "storage.example.net"]) {
    assert.isFalse(isRefusedLiteral(host), host)
  }
})
