import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { request } from "node:https"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { freePort, root, until } from "../support/KinoraProcess.ts"

/** A block of code of the documentation, as an operator copies it. */
const documented = (language: string): string => {
  const text = readFileSync(join(root, "docs/operating.md"), "utf8")
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text)?.[1]
  if (block === undefined) throw new Error(`docs/operating.md has no block of ${language}`)
  return block
}

const installed = (program: string): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

interface Seen {
  readonly url: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly bytes: number
}

describe("the documented proxy configurations", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "kinora-proxy-"))
  const certificate = join(folder, "fullchain.pem")
  const key = join(folder, "privkey.pem")
  const children: Array<ChildProcess> = []
  let node: Server
  let nodePort: number
  let begun: Array<string> = []

  beforeAll(async () => {
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    execFileSync("openssl", ["req", ...kind, "-keyout", key, "-out", certificate, ...subject], { stdio: "ignore" })
    nodePort = await freePort()
    // In place of the node: says what came through the proxy.
    node = createServer((incoming, answer) => {
      begun.push(incoming.url ?? "")
      let bytes = 0
      incoming.on("data", (chunk: Buffer) => (bytes += chunk.length))
      incoming.on("end", () =>
        answer.end(JSON.stringify({ url: incoming.url, headers: incoming.headers, bytes } satisfies Seen))
      )
    })
    node.on("upgrade", (_request, socket) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
    )
    await new Promise<void>((done) => node.listen(nodePort, "127.0.0.1", done))
  })

  afterAll(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise((done) => child.once("exit", done))
      child.kill("SIGTERM")
      await ended
    }
    node.closeAllConnections()
    node.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const options = (port: number, path: string, headers: Record<string, string>) => ({
    ...{ host: "127.0.0.1", port, path, servername: "localhost", rejectUnauthorized: false, agent: false },
    headers: { host: `localhost:${port}`, ...headers }
  })

  const send = (port: number, path: string, body = "", headers: Record<string, string> = {}) =>
    new Promise<Seen>((done, fail) => {
      const sent = request({ ...options(port, path, headers), method: body === "" ? "GET" : "POST" }, (answer) => {
        let text = ""
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()))
        answer.on("end", () => (answer.statusCode === 200 ? done(JSON.parse(text) as Seen) : fail(new Error(text))))
      })
      sent.on("error", fail)
      sent.end(body)
    })

  const upgrade = (port: number) =>
    new Promise<number | undefined>((done, fail) => {
      const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" }
      const sent = request(
        options(port, "/tracker/socket", { ...headers, "sec-websocket-key": "x3JJHMbDL1EzLkh9GBhXDw==" })
      )
      sent.on("upgrade", (answer, socket) => {
        socket.destroy()
        done(answer.statusCode)
      })
      sent.on("response", (answer) => done(answer.statusCode))
      sent.on("error", fail)
      sent.end()
    })

  /** The configuration as it stands, but for ports and certificates. */
  const adapted = (language: string, port: number): string =>
    documented(language)
      .replaceAll("127.0.0.1:9000", `127.0.0.1:${nodePort}`)
      .replaceAll("/etc/letsencrypt/live/video.example.org", folder)
      .replaceAll(":443", `:${port}`)
      .replaceAll("listen 443", `listen ${port}`)

  const proxies = [
    {
      program: "nginx",
      configure: (port: number) => {
        const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
          .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
          .join("\n")
        return {
          text: `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
            http { access_log off; ${temporary}\n${adapted("nginx", port)} }`,
          check: ["-t"],
          run: []
        }
      },
      argument: "-c"
    },
    {
      program: "caddy",
      configure: (port: number) => ({
        text: `{\n  admin off\n  auto_https disable_redirects\n}\n${adapted("caddyfile", port).replace(
          /^video\.example\.org \{$/m,
          `https://localhost:${port} {\n  tls ${certificate} ${key}`
        )}`,
        check: ["validate", "--adapter", "caddyfile"],
        run: ["run", "--adapter", "caddyfile"]
      }),
      argument: "--config"
    },
    {
      program: "apache2",
      configure: (port: number) => {
        const modules = ["mpm_event", "authz_core", "ssl", "http2", "headers", "proxy", "proxy_http"]
        const load = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
        const account = process.getuid?.() === 0 ? ["User www-data", "Group www-data"] : []
        const server = [
          `ServerRoot ${folder}`,
          `PidFile ${folder}/apache.pid`,
          `ErrorLog ${folder}/apache.log`,
          "ServerName localhost"
        ]
        return {
          text: [
            ...load,
            ...account,
            ...server,
            `DefaultRuntimeDir ${folder}`,
            `Listen ${port}`,
            adapted("apache", port)
          ].join("\n"),
          check: ["-t"],
          run: ["-DFOREGROUND"]
        }
      },
      argument: "-f"
    }
  ]

  it.each(proxies)("$program takes its own and passes requests on", async ({ argument, configure, program }) => {
    const path = installed(program)
    if (path === undefined) throw new Error(`${program} is needed for this test: scripts/test says how to install it`)
    const port = await freePort()
    const { check, run, text } = configure(port)
    const file = join(folder, `${program}.conf`)
    writeFileSync(file, text)
    mkdirSync(join(folder, "home"), { recursive: true })
    const env = { ...process.env, HOME: join(folder, "home"), XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    execFileSync(path, [...check, argument, file], { env, stdio: "pipe" })
    const child = spawn(path, [...run, argument, file], { env, stdio: ["ignore", "ignore", "pipe"] })
    children.push(child)
    let said = ""
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
    await until(`${program} to answer`, 60, async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
      return await send(port, "/").catch(() => undefined)
    })

    const seen = await send(port, "/w/a%2Fb?c=%20d", "", { "x-forwarded-for": "203.0.113.7" })
    expect(seen.url).toBe("/w/a%2Fb?c=%20d")
    expect(seen.headers["host"]).toBe(`localhost:${port}`)
    expect(seen.headers["x-forwarded-proto"]).toBe("https")
    expect(seen.headers["x-forwarded-for"]).toMatch(/127\.0\.0\.1$/)
    expect((await send(port, "/upload", "x".repeat(5_000_000))).bytes).toBe(5_000_000)
    expect(await upgrade(port)).toBe(101)

    // Uploads reach the node while they arrive, and are not kept by the proxy until they are whole.
    begun = []
    const slow = request({ ...options(port, "/slow", { "content-length": "200000" }), method: "POST" })
    slow.on("error", () => undefined)
    slow.write("x".repeat(100_000))
    await until(`${program} to pass on what has arrived`, 30, async () => (begun.includes("/slow") ? true : undefined))
    slow.destroy()
  })
})
