import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { spawn } from "node:child_process"
import { createServer, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { confined, type Confines, readPowers, systemPaths, powersArguments } from "../../src/ytdlp/Confinement.ts"
import { Clips, MediaTest } from "../support/MediaTest.ts"
import { offered, offeredPowers } from "../support/Offered.ts"

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

const run = (args: ReadonlyArray<string>) =>
  Effect.callback<Ran>((resume) => {
    const child = spawn("python3", args, { env: { PATH: "/usr/bin:/bin" }, stdio: ["ignore", "pipe", "pipe"] })
    let out = ""
    let errors = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text))
    child.on("close", (code) => resume(Effect.succeed({ code, out, errors })))
  }).pipe(Effect.timeout(Duration.seconds(20)))

const listeningWith = (connected: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const server = createServer({ allowHalfOpen: true }, connected)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ port, close: () => server.close() }))
      })
    }),
    (server) => Effect.sync(server.close)
  )

const listening = listeningWith((socket) => socket.end())

layer(MediaTest, { excludeTestServices: true })("confinement", (it) => {
  const python = Effect.fnUntraced(function* (confines: Partial<Confines>, code: string) {
    const folder = yield* (yield* Clips).folder
    const all: Confines = {
      read: systemPaths,
      folder,
      port: undefined,
      memory: 2 ** 30,
      fileSize: 10_000,
      cpuSeconds: 10,
      ...confines
    }
    return { ...(yield* run(confined(all, ["/usr/bin/python3", "-I", "-c", code, folder]))), all }
  })

  it.effect("holds on this machine as far as its kernel offers it", () =>
    Effect.gen(function* () {
      const folder = yield* (yield* Clips).folder
      const confines = { read: systemPaths, folder, port: undefined, memory: 2 ** 30, fileSize: 1, cpuSeconds: 10 }
      const powers = readPowers((yield* run(powersArguments(confines))).out)
      assert.deepStrictEqual(powers, offeredPowers())
      assert.deepStrictEqual(readPowers("0 open\n"), { files: false, network: false, alone: false })
      assert.deepStrictEqual(readPowers("4 open\n"), { files: true, network: true, alone: false })
      assert.deepStrictEqual(readPowers("0 alone\n"), { files: false, network: true, alone: true })
      assert.deepStrictEqual(readPowers("Traceback"), { files: false, network: false, alone: false })
    })
  )

  it.effect("leaves a program its folder and no other file", () =>
    Effect.gen(function* () {
      const secret = fileURLToPath(import.meta.url)
      const { code, errors, out } = yield* python(
        {},
        `
import os, sys
def attempt(what):
    try:
        what()
        return "yes"
    except OSError as error:
        return type(error).__name__
os.chdir(sys.argv[1])
print(attempt(lambda: open("mine", "w").write("x")), open("mine").read())
print(attempt(lambda: open(${JSON.stringify(secret)}).read()))
print(attempt(lambda: open("/etc/passwd").read()), attempt(lambda: open("/proc/%d/environ" % os.getppid()).read()))
print(attempt(lambda: open("/tmp/kinora-not-mine", "w")), attempt(lambda: os.listdir("/root")))
print(attempt(lambda: (open("run", "w").write("#!/bin/sh\\n"), os.chmod("run", 0o755), os.execv("./run", ["run"]))))
print(attempt(lambda: open("large", "wb").write(b"x" * 20_000)))
`
      )
      assert.strictEqual(code, 0, errors)
      const lines = out.trim().split("\n")
      assert.deepStrictEqual([lines[0], lines.at(-1)], ["yes x", "OSError"])
      if (!offered().files) return
      assert.deepStrictEqual(lines.slice(1, -1), [
        "PermissionError",
        "PermissionError PermissionError",
        "PermissionError PermissionError",
        "PermissionError"
      ])
    })
  )

  it.effect("carries bytes both ways, and ends with the program's own status", () =>
    Effect.gen(function* () {
      const echo = yield* listeningWith((socket) => socket.pipe(socket))
      const { code, errors, out } = yield* python(
        { port: echo.port },
        `
import socket, sys
one = socket.create_connection(("127.0.0.1", ${echo.port}), 5)
sent = bytes(range(256)) * 4000
import threading
threading.Thread(target=lambda: (one.sendall(sent), one.shutdown(socket.SHUT_WR))).start()
got = b""
while True:
    piece = one.recv(65536)
    if not piece:
        break
    got += piece
print(got == sent)
sys.exit(7)
`
      )
      assert.deepStrictEqual([out.trim(), code], ["True", 7], errors)
    })
  )

  it.effect("lets it connect to one port", () =>
    Effect.gen(function* () {
      const [proxy, other] = [yield* listening, yield* listening]
      const { code, errors, out } = yield* python(
        { port: proxy.port },
        `
import socket
for port in (${proxy.port}, ${other.port}):
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
        print("yes")
    except OSError:
        print("no")
try:
    socket.socket().bind(("127.0.0.1", 0))
    print("yes")
except PermissionError:
    print("no")
print(sorted(name for _, name in socket.if_nameindex()))
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53))
    print("yes")
except OSError:
    print("no")
`
      )
      assert.strictEqual(code, 0, errors)
      const { alone, landlock, network } = offered()
      const [toProxy, toOther, bound, interfaces, datagram] = out.trim().split("\n")
      assert.strictEqual(toProxy, "yes")
      if (network) assert.strictEqual(toOther, "no")
      if (landlock >= 4) assert.strictEqual(bound, "no")
      if (alone) assert.deepStrictEqual([interfaces, datagram], ["['lo']", "no"])
    })
  )

  it.effect("lets the program run where the kernel offers nothing, and says so", () =>
    Effect.gen(function* () {
      const folder = yield* (yield* Clips).folder
      const proxy = yield* listening
      const confines = { read: systemPaths, folder, port: proxy.port, memory: 2 ** 30, fileSize: 100, cpuSeconds: 10 }
      /** Neither namespaces nor Landlock. */
      const poorly = (args: ReadonlyArray<string>) =>
        args.map((arg) =>
          arg
            .replace("libc.unshare(", "(lambda *_: -1)(")
            .replace("libc.syscall(444, None", "(lambda *_: -1)(444, None")
        )
      assert.deepStrictEqual(readPowers((yield* run(poorly(powersArguments(confines)))).out), {
        files: false,
        network: false,
        alone: false
      })
      const code = `
import resource, socket, sys
socket.create_connection(("127.0.0.1", ${proxy.port}), 5).close()
print(resource.getrlimit(resource.RLIMIT_FSIZE)[0])
sys.exit(3)
`
      const ran = yield* run(poorly(confined(confines, ["/usr/bin/python3", "-I", "-c", code])))
      assert.deepStrictEqual([ran.out.trim(), ran.code], ["100", 3], ran.errors)
    })
  )
})
