import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { makeAddressPolicy } from "../../src/fetch/AddressPolicy.ts"

const open = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.128.0.1", "2606:4700::1111"]
const hidden4 = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255"
]
const hidden6 = [
  "::",
  "::1",
  "::127.0.0.1",
  "::8.8.8.8",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:8.8.8.8",
  "::ffff:0:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::8.8.8.8",
  "64:ff9b:1::a00:1",
  "100::1",
  "2001::1",
  "2001:0:7f00:1::1",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
  "2001:db8::1",
  "2002:7f00:1::1",
  "2002:a9fe:a9fe::",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "ff0e::1"
]

describe("address policy", () => {
  it("lets public addresses through and no others (FET-01, FET-02)", () => {
    const allowed = makeAddressPolicy("public")
    for (const address of [...open, "2001:200::1", "2a00:1450:4001::200e"]) assert.isTrue(allowed(address), address)
    for (const address of [...hidden4, ...hidden6]) assert.isFalse(allowed(address), address)
  })

  it.prop(
    "refuses IPv4 in whatever form of IPv6",
    [Schema.Array(Schema.Int).check(Schema.isMinLength(4))],
    ([numbers]) => {
      const [a = 0, b = 0, c = 0, d = 0] = numbers.map((it) => Math.abs(it) % 256)
      const hex = [a * 256 + b, c * 256 + d].map((it) => it.toString(16)).join(":")
      const allowed = makeAddressPolicy("public")
      for (const prefix of ["::ffff:", "::", "::ffff:0:", "64:ff9b::", "64:ff9b:1::"]) {
        assert.isFalse(allowed(`${prefix}${hex}`), `${prefix}${hex}`)
        assert.isFalse(allowed(`${prefix}${a}.${b}.${c}.${d}`), `${prefix}${a}.${b}.${c}.${d}`)
      }
      assert.isFalse(allowed(`2002:${hex}::1`))
      assert.isFalse(allowed(`2001:0:${hex}::1`))
    }
  )

  it("refuses what is not the text of one address", () => {
    const allowed = makeAddressPolicy("public")
    for (const text of ["", "8.8.8", "0x8.8.8.8", "08.8.8.8", "8.8.8.8 ", "134744072", "[::1]", "2606:4700::1111%1"]) {
      assert.isFalse(allowed(text), text)
    }
  })

  it("lets tests reach loopback alone", () => {
    const allowed = makeAddressPolicy("loopback")
    for (const address of ["127.0.0.1", "127.8.9.10", "::1"]) assert.isTrue(allowed(address), address)
    for (const address of [...open, "10.0.0.1", "0.0.0.0", "::", "::ffff:127.0.0.1", "169.254.169.254"]) {
      assert.isFalse(allowed(address), address)
    }
  })

  it("never lets metadata services be reached, nor what an operator refuses", () => {
    const allowed = makeAddressPolicy("public-and-private", ["8.8.8.0/24", "2606:4700::/32"])
    for (const address of ["1.1.1.1", "10.0.0.1", "127.0.0.1", "::1", "fd12::1", "100.64.0.1"]) {
      assert.isTrue(allowed(address), address)
    }
    for (const address of ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "168.63.129.16", "192.0.0.192"]) {
      assert.isFalse(allowed(address), address)
    }
    for (const address of ["8.8.8.8", "2606:4700::1111", "::ffff:10.0.0.1", "fe80::1", "224.0.0.1"]) {
      assert.isFalse(allowed(address), address)
    }
    assert.throws(() => makeAddressPolicy("public", ["intranet"]))
  })
})
