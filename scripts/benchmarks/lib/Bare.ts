import { type ChildProcess, spawn } from "node:child_process"

/**
 * A bare node:http server in its own process, for comparison: `body` answers every request with the given JSON text, `json` with that of a file,
 * `file` streams the asked range of a file, `sink` swallows uploads.
 */
export const bare = async (
  kind: { readonly body: string } | { readonly json: string } | { readonly file: string } | { readonly sink: true },
  port: number
): Promise<{ readonly url: string; readonly pid: number; readonly stop: () => void }> => {
  const program = `
    import { createServer } from "node:http"
    import { createReadStream, readFileSync, statSync } from "node:fs"
    const kind = JSON.parse(process.argv[1])
    const body = kind.json !== undefined ? readFileSync(kind.json) : kind.body === undefined ? undefined : Buffer.from(kind.body)
    const size = kind.file === undefined ? 0 : statSync(kind.file).size
    createServer((req, res) => {
      if (body) { res.writeHead(200, { "content-type": "application/json", "content-length": body.length }); res.end(body) }
      else if (kind.file) {
        const m = /bytes=(\\d+)-(\\d+)/.exec(req.headers.range ?? "")
        const [start, end] = m ? [Number(m[1]), Number(m[2])] : [0, size - 1]
        res.writeHead(m ? 206 : 200, { "content-length": end - start + 1, "content-range": "bytes " + start + "-" + end + "/" + size })
        createReadStream(kind.file, { start, end }).pipe(res)
      } else { req.resume(); req.on("end", () => res.end("ok")) }
    }).listen(${port}, "127.0.0.1", () => console.log("ready"))
  `
  const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", program, JSON.stringify(kind)], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  await new Promise<void>((ready) => child.stdout?.once("data", () => ready()))
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => void child.kill() }
}
