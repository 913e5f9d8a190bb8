import type { Brand } from "effect"

/**
 * JSON text of an `A`, made by the database or by an encoder and sent as it is. A string at run time: the type lets the
 * compiler hold the text against the success schema of the endpoint that answers with it.
 */
export type Json<A> = string & Brand.Brand<"Json"> & { readonly "~of": A }

/** JSON text of a page of a list. */
export type JsonPage<Item> = Json<{ readonly total: number; readonly data: ReadonlyArray<Item> }>

/** States that a text is the JSON of an `A`. The text is not read: its maker, who calls this, knows. */
export const jsonOf = <A>(text: string): Json<A> => text as Json<A>

/** The text of a value of strings, numbers, booleans, null, arrays and plain objects of these. */
export const toJson = <const A>(value: A): Json<A> => jsonOf(JSON.stringify(value))

/** The JSON of an object of one member whose value is JSON text. The name is the program's: it is not escaped. */
export const jsonMember = <const Name extends string, A>(
  name: Name,
  text: Json<A>
): Json<{ readonly [N in Name]: A }> => jsonOf(`{"${name}":${text}}`)

/** A page of a list in which nothing is. */
export const emptyPage: JsonPage<never> = toJson({ total: 0, data: [] })
