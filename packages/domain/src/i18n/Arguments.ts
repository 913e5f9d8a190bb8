import type { Value } from "./Format.ts"

type Toggled<Inside extends boolean> = Inside extends true ? false : true

/** The name behind a brace: `{name}` or `{name, plural, …}`. */
type NameAt<Text extends string> = Text extends `${infer Inside}}${string}`
  ? Inside extends `${infer Name},${string}`
    ? Name
    : Inside
  : never

/**
 * Names of the values that an ICU message takes. Braces alternate: in a text they open an argument, in an argument they open the
 * text of a choice.
 */
type NamesIn<
  Text extends string,
  Inside extends boolean = false,
  Found = never
> = Text extends `${infer Before}{${infer After}`
  ? Before extends `${infer Closed}}${string}`
    ? Text extends `${Closed}}${infer Rest}`
      ? NamesIn<Rest, Toggled<Inside>, Found>
      : Found
    : NamesIn<After, Toggled<Inside>, Inside extends true ? Found : Found | NameAt<After>>
  : Found

/** What follows the key in a call: nothing, or the values the message takes. */
export type ValuesOf<Text extends string> = [NamesIn<Text>] extends [never]
  ? []
  : [values: { readonly [K in NamesIn<Text> & string]: Value }]
