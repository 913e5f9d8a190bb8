import S3rver from "@20minutes/s3rver"
import { Effect, type Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FaultyProxy, makeFaultyProxy } from "./FaultyProxy.ts"

export interface S3Server {
  /** Goes through the proxy. */
  readonly endpoint: string
  readonly proxy: FaultyProxy
  /** Folder of the server, one folder a bucket below. */
  readonly directory: string
}

export const s3Keys = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" } as const

/** Pages of any origin may read; players look at these headers. */
const cors = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
<AllowedMethod>HEAD</AllowedMethod><AllowedHeader>*</AllowedHeader><ExposeHeader>Content-Range</ExposeHeader>
<ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>`

/** The server enciphers continuation tokens with DES, which OpenSSL 3 has no more: three times the same key is the same. */
const withDes = () => {
  const crypto = createRequire(import.meta.url)("node:crypto") as Record<string, unknown>
  for (const name of ["createCipheriv", "createDecipheriv"]) {
    const original = crypto[name] as (...of: ReadonlyArray<unknown>) => unknown
    if (original.name === "withDes") continue
    crypto[name] = function withDes(algorithm: string, key: Buffer, ...rest: ReadonlyArray<unknown>) {
      return algorithm === "des"
        ? original("des-ede3-cbc", Buffer.concat([key, key, key]), ...rest)
        : original(algorithm, key, ...rest)
    }
  }
}

/** An S3 server of this process over a folder, which it finds again. */
export const runS3Server = async (directory: string, port: number, buckets: ReadonlyArray<string>) => {
  withDes()
  const server = new S3rver({
    address: "127.0.0.1",
    port,
    directory,
    silent: true,
    configureBuckets: buckets.map((name) => ({ name, configs: [cors] }))
  })
  return { server, port: (await server.run()).port }
}

/** An S3 server over a temporary folder, behind a proxy that can fail. It ends with the scope. */
export const makeS3Server = (buckets: ReadonlyArray<string>): Effect.Effect<S3Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-s3-"))),
      (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
    )
    const { port } = yield* Effect.acquireRelease(
      Effect.promise(() => runS3Server(directory, 0, buckets)),
      ({ server }) => Effect.promise(() => server.close())
    )
    const proxy = yield* makeFaultyProxy(port)
    return { endpoint: `http://127.0.0.1:${proxy.port}`, proxy, directory }
  })
