import { version } from "@kinora/domain/Version"
import { Effect, type Option } from "effect"
import { CliConfig, Command, Flag, GlobalFlag } from "effect/cli"
import { ConfigFile } from "../platform/config/Config.ts"
import { RenameHost } from "../platform/config/RenameHost.ts"
import { backupCommand } from "./BackupCommand.ts"
import { blockCommand, unblockCommand } from "./BlockCommands.ts"
import { blockListCommand } from "./BlockListCommand.ts"
import { toCliFailure } from "./CliFailure.ts"
import { completionsCommand } from "./CompletionsCommand.ts"
import { configCommand } from "./ConfigCommands.ts"
import { doctorCommand } from "./DoctorCommand.ts"
import { followCommand, followsCommand, unfollowCommand } from "./FollowCommands.ts"
import { importPeertubeCommand } from "./ImportPeertubeCommand.ts"
import { jobsCommand } from "./JobCommands.ts"
import { manCommand } from "./ManCommand.ts"
import { migrateCommand } from "./MigrateCommand.ts"
import { reportsCommand } from "./ReportCommands.ts"
import { restoreCommand } from "./RestoreCommand.ts"
import { runnersCommand } from "./RunnerCommands.ts"
import { storageCommand } from "./StorageCommand.ts"
import { usersCommand } from "./UserCommands.ts"
import { videosCommand } from "./VideoCommands.ts"
import { webhooksCommand } from "./WebhookCommands.ts"

const shared = {
  config: Flag.File("config", { mustExist: false }).pipe(
    Flag.withAlias("c"),
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "YAML file to read; KINORA_CONFIG, <data folder>/kinora.yaml or ./config/kinora.yaml unless given"
    ),
    Flag.optional
  )
}

/** What the command line needs from the rest of the program. */
export interface KinoraCommands<E extends Error, R> {
  /** Runs the instance until it is stopped. Reads its configuration itself. */
  readonly serve: Effect.Effect<unknown, E, R>
}

const renameHost = Flag.Boolean("rename-host").pipe(
  Flag.withDescription(
    "Change every address of the instance to the configured one (webserver.*). Other instances lose what they know of it"
  ),
  Flag.withDefault(false)
)

const serveCommand = <E extends Error, R>(serve: Effect.Effect<unknown, E, R>) =>
  Command.make("serve", { renameHost }, (input) =>
    toCliFailure(Effect.asVoid(serve)).pipe(Effect.provideService(RenameHost, input.renameHost))
  ).pipe(
    Command.withDescription(
      "Run the instance. Without any configuration it listens on 127.0.0.1:9000 and keeps everything in ./data, an " +
        "embedded PostgreSQL included. Stops on SIGINT or SIGTERM within ten seconds."
    ),
    Command.withShortDescription("Run the instance"),
    Command.withExamples([
      { command: "kinora serve", description: "With the defaults" },
      { command: "KINORA_LISTEN_PORT=8080 kinora serve", description: "Any key can come from the environment" },
      { command: "kinora serve --config /etc/kinora.yaml", description: "Or from a file" }
    ])
  )

/** The `kinora` program: parses the arguments of the process and runs the command. A failure sets the exit code. */
export const kinora = <E extends Error, R>(commands: KinoraCommands<E, R>) => {
  const root = Command.make("kinora").pipe(
    Command.withSharedFlags(shared),
    Command.withDescription(
      "A federated video host that speaks PeerTube's protocols. Start with `kinora serve`; when something does not " +
        "work, ask `kinora doctor`."
    ),
    Command.withSubcommands([
      serveCommand(commands.serve),
      migrateCommand,
      backupCommand,
      restoreCommand,
      importPeertubeCommand,
      doctorCommand,
      configCommand,
      usersCommand,
      videosCommand,
      reportsCommand,
      blockCommand,
      unblockCommand,
      blockListCommand,
      followCommand,
      unfollowCommand,
      followsCommand,
      jobsCommand,
      runnersCommand,
      webhooksCommand,
      storageCommand,
      completionsCommand((): Command.Command.Any => root),
      manCommand((): Command.Command.Any => root)
    ]),
    Command.provideSync(ConfigFile, (input: { readonly config: Option.Option<string> }) => input.config)
  )
  return Command.run(root, { version }).pipe(
    Effect.provideService(CliConfig.CliConfig, {
      builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
    })
  )
}
