import { databaseUrl } from "./EmbeddedServer.ts"
import { type Instance, send, startInstance } from "./Federating.ts"
import { freePort, KinoraProcess } from "./KinoraProcess.ts"

/** A node as `GET /server/debug` shows it. */
export interface NodeState {
  readonly address: string
  readonly alive: boolean
  readonly answers: boolean
  readonly shards: number
  readonly roles: ReadonlyArray<string>
  readonly lives: ReadonlyArray<string>
  readonly tasks: ReadonlyArray<{ readonly name: string; readonly state: string }>
}

/** The first node of a cluster, which brings the database and the files. */
export const firstNode = async (env: Record<string, string> = {}): Promise<Instance & { readonly address: string }> => {
  const port = await freePort()
  const instance = await startInstance({
    KINORA_CLUSTER_ENABLED: "true",
    KINORA_CLUSTER_LISTEN_PORT: String(port),
    ...env
  })
  return { ...instance, address: `127.0.0.1:${port}` }
}

/** Another node of it; nothing runs yet. */
export const furtherNode = async (
  first: Instance,
  name: string,
  env: Record<string, string> = {}
): Promise<Instance & { readonly address: string }> => {
  const port = await freePort()
  const node = await KinoraProcess.create({
    ...first.node.env,
    DATABASE_URL: first.node.env["DATABASE_URL"] ?? databaseUrl(first.node.dataDir),
    KINORA_DATA_DIR: first.node.dataDir,
    KINORA_STORAGE_TMP: `tmp-of-${name}`,
    KINORA_WEBSERVER_PORT: String(first.node.port),
    KINORA_CLUSTER_LISTEN_PORT: String(port),
    ...env
  })
  return { node, auth: first.auth, host: first.host, address: `127.0.0.1:${port}` }
}

/** The nodes that an instance knows of. */
export const nodesOf = async (instance: Instance): Promise<ReadonlyArray<NodeState>> =>
  (await send<{ nodes: ReadonlyArray<NodeState> }>(instance, "GET", "/api/v1/server/debug")).nodes
