import { Console } from "effect"
import { Argument, Command, Completions } from "effect/cli"

/** `kinora completions <shell>` for the given tree of commands. */
export const completionsCommand = (describe: () => Command.Command.Any) =>
  Command.make(
    "completions",
    {
      shell: Argument.Literals("shell", ["bash", "zsh", "fish"]).pipe(
        Argument.withDescription("Shell to print the script for")
      )
    },
    ({ shell }) => Console.log(Completions.generate("kinora", shell, Completions.fromCommand(describe())))
  ).pipe(
    Command.withDescription("Print a script that completes commands and flags in a shell."),
    Command.withExamples([
      { command: 'eval "$(kinora completions bash)"', description: "In ~/.bashrc" },
      { command: "kinora completions zsh > ~/.zfunc/_kinora", description: "With ~/.zfunc in fpath" },
      { command: "kinora completions fish > ~/.config/fish/completions/kinora.fish", description: "For fish" }
    ])
  )
