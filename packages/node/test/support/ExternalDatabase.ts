import { EmbeddedPostgres } from "@kinora/storage/platform/embedded/EmbeddedPostgres"
import * as Database from "@kinora/storage/platform/database/Database"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { TestServer } from "../../../storage/test/support/TestServer.ts"

const connect = (url: string) =>
  ManagedRuntime.make(
    Database.layer({ url: Redacted.make(url), maxConnections: 2, applicationName: "tests" }).pipe(
      Layer.orDie
    ) as Layer.Layer<SqlClient>
  )

/** An empty database of the tests' server, for a program that does not bring its own. */
export class ExternalDatabase {
  readonly url: string
  readonly name: string
  private readonly server: string

  private constructor(server: string, name: string) {
    const url = new URL(server)
    url.pathname = `/${name}`
    this.url = url.href
    this.name = name
    this.server = server
  }

  static async create(): Promise<ExternalDatabase> {
    const runtime = ManagedRuntime.make(TestServer)
    const url = await runtime.runPromise(EmbeddedPostgres.use((server) => Effect.succeed(Redacted.value(server.url))))
    await runtime.dispose()
    const database = new ExternalDatabase(url, `external_${randomUUID().replaceAll("-", "")}`)
    await database.onServer(`create database ${database.name} template template0`)
    return database
  }

  /** Connections to it; they end with `dispose`. */
  open() {
    return connect(this.url)
  }

  async drop(): Promise<void> {
    await this.onServer(`drop database if exists ${this.name} with (force)`)
  }

  private async onServer(statement: string): Promise<void> {
    const runtime = connect(this.server)
    await runtime.runPromise(Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement)))
    await runtime.dispose()
  }
}
