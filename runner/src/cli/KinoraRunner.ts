import { version } from "@kinora/domain/Version"
import { Effect, type Option } from "effect"
import { CliConfig, Command, Flag, GlobalFlag } from "effect/cli"
import { ConfigPath } from "../config/RunnerConfig.ts"
import { encodersCommand, startCommand, statusCommand } from "./RunCommands.ts"
import { listCommand, registerCommand, unregisterCommand } from "./ServerCommands.ts"

const shared = {
  config: Flag.File("config", { mustExist: false }).pipe(
    Flag.withAlias("c"),
    Flag.withMetavar("FILE"),
    Flag.withDescription("TOML file to read; ~/.config/kinora-runner/config.toml unless given"),
    Flag.optional
  )
}

/**
 * The `kinora-runner` program: parses the arguments of the process and runs the command. A failure sets the exit code.
 */
export const kinoraRunner = Command.run(
  Command.make("kinora-runner").pipe(
    Command.withSharedFlags(shared),
    Command.withDescription("Makes renditions for Kinora and PeerTube servers, wherever it runs."),
    Command.withSubcommands([
      startCommand,
      statusCommand,
      encodersCommand,
      registerCommand,
      unregisterCommand,
      listCommand
    ]),
    Command.provideSync(ConfigPath, (input: { readonly config: Option.Option<string> }) => input.config)
  ),
  { version }
).pipe(
  Effect.provideService(CliConfig.CliConfig, {
    builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]
  })
)
