import { version } from "@kinora/domain/Version"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { manualPage } from "./ManualPage.ts"

/** `kinora man` for the given tree of commands. */
export const manCommand = (describe: () => Command.Command.Any) =>
  Command.make("man", {}, () => Effect.suspend(() => Console.log(manualPage(describe(), version)))).pipe(
    Command.withDescription("Print the manual page: every command with its options, exit codes and variables."),
    Command.withExamples([
      { command: "kinora man | man -l -", description: "Read it" },
      { command: "kinora man > /usr/local/share/man/man1/kinora.1", description: "Install it" }
    ])
  )
