import { type Json, jsonOf, type JsonPage } from "@kinora/domain/wire/Json"

/** A page of a list, of the JSON text of its items; those that are undefined are left out. */
export const textPage = <Item>(total: number, items: ReadonlyArray<Json<Item> | undefined>): JsonPage<Item> =>
  jsonOf(`{"total":${total},"data":[${items.filter((item) => item !== undefined).join()}]}`)
