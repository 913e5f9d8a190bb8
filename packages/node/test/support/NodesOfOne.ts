import { databaseUrl } from "./EmbeddedServer.ts"
import { type Instance, startInstance } from "./Federating.ts"
import { KinoraProcess } from "./KinoraProcess.ts"

/** Several processes that answer for one instance, over one database and one folder of files. */
export interface NodesOfOne {
  readonly nodes: ReadonlyArray<KinoraProcess>
  readonly auth: Record<string, string>
  readonly remove: () => Promise<void>
}

/** Starts the first node with its embedded database, and others beside it with folders for temporary files of their own. */
export const startNodes = async (count: number, env: Record<string, string> = {}): Promise<NodesOfOne> => {
  const first: Instance = await startInstance(env)
  const others = await Promise.all(
    Array.from({ length: count - 1 }, async (_, nth) => {
      const node = await KinoraProcess.create({
        ...first.node.env,
        DATABASE_URL: databaseUrl(first.node.dataDir),
        KINORA_DATA_DIR: first.node.dataDir,
        KINORA_STORAGE_TMP: `tmp-of-${nth + 2}`,
        KINORA_WEBSERVER_PORT: String(first.node.port)
      })
      await node.start()
      return node
    })
  )
  return {
    nodes: [first.node, ...others],
    auth: first.auth,
    // The first node's database goes last.
    remove: async () => {
      await Promise.all(others.map((node) => node.stop()))
      await Promise.all([first.node, ...others].map((node) => node.remove()))
    }
  }
}
