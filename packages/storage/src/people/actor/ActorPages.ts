import type { Json, JsonPage } from "@kinora/domain/wire/Json"
import { jsonOf } from "@kinora/domain/wire/Json"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { textPage } from "../../platform/database/TextPage.ts"
import { actorTexts, type KeptActorText } from "./ActorTexts.ts"

type MaybeActor<Row> = { readonly total: number } & ((Row & KeptActorText) | { readonly actorId: null })

const isActor = <Row>(row: MaybeActor<Row>): row is MaybeActor<Row> & Row & KeptActorText => row.actorId !== null

/**
 * A page of accounts or channels as JSON text; what an item is, the caller states.
 *
 * @param total a query of one number
 * @param items a query of `actor_id` and `position` (its place on the page), and of what `more` needs
 * @param more members of the row to be added, each after a comma
 */
export const actorPage = Effect.fnUntraced(function* <Item, Row extends object = object>(
  sql: SqlClient,
  total: Fragment,
  items: Fragment,
  more: (row: Row) => string = () => ""
) {
  const rows = yield* sql<MaybeActor<Row>>`
    select t.total, p.*, p.actor_id as "actorId", w.text as text
    from (select (${total}) as total) t left join (${items}) p on true left join actor_read_model w on w.actor_id = p.actor_id
    order by p.position`
  const found = rows.filter(isActor)
  const texts = yield* actorTexts(sql, found)
  const page: JsonPage<Item> = textPage(
    rows[0]?.total ?? 0,
    // An actor that is gone meanwhile has no text.
    texts.map((text, n): Json<Item> | undefined => {
      if (text === "") return undefined
      const members = more(found[n]!)
      return jsonOf(members === "" ? text : `${text.slice(0, -1)}${members}}`)
    })
  )
  return page
})

/** The account or channel of a row; undefined where there is no row. */
export const actorOf = Effect.fnUntraced(function* <Row extends KeptActorText>(
  sql: SqlClient,
  rows: ReadonlyArray<Row>
) {
  const [row] = rows
  const [text] = yield* actorTexts(sql, rows.slice(0, 1))
  return row === undefined || text === undefined || text === "" ? undefined : { row, text }
})
