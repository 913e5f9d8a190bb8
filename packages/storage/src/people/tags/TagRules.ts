import { AutomaticTagPolicy, externalLinkTag } from "@kinora/domain/enums/AutomaticTag"
import { hasExternalLink } from "@kinora/domain/text/ExternalLinks"
import { withoutMarkup } from "@kinora/domain/text/MarkdownText"
import type { NamedWords, WordFinder } from "@kinora/domain/text/WordTrie"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { wordFinders } from "./WordFinders.ts"

/** What an account's rules make of texts. */
export interface TagRules {
  readonly accountId: number
  /** Names the words that the rules were made of; null: the account watches for none. */
  readonly version: string | null
  /** Names of the tags of a thing with these Markdown texts. */
  readonly tagsOf: (texts: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Whether one of these tags was chosen for a policy. */
  readonly isChosen: (policy: AutomaticTagPolicy, tags: ReadonlyArray<string>) => boolean
}

interface RuleRow {
  readonly accountId: number
  readonly ownHost: string
  readonly version: string | null
  readonly review: ReadonlyArray<string>
  readonly block: ReadonlyArray<string>
}

type ListRow = NamedWords & { readonly accountId: number }

const findNothing: WordFinder = () => []

/** A word is found in what was written, and in what readers see of it. */
const readings = (text: string): ReadonlyArray<string> => {
  const shown = withoutMarkup(text)
  return shown === text ? [text] : [text, shown]
}

const ruleOf = ({ accountId, block, ownHost, review, version }: RuleRow, find: WordFinder): TagRules => {
  const chosen = {
    [AutomaticTagPolicy.reviewComment]: new Set(review),
    [AutomaticTagPolicy.blockVideo]: new Set(block)
  }
  return {
    accountId,
    version,
    tagsOf: (texts) => [
      ...(texts.some((text) => hasExternalLink(text, ownHost)) ? [externalLinkTag] : []),
      ...find(texts.flatMap(readings))
    ],
    isChosen: (policy, tags) => tags.some((tag) => chosen[policy].has(tag.toLowerCase()))
  }
}

/**
 * The rules of accounts, as they are at the moment. What is written by rules that change meanwhile is matched again by the job of
 * the change, which waits for transactions that began before it (`RuleChanges`).
 */
export const tagRules = (sql: SqlClient) => {
  const finders = wordFinders(sql)

  /** Makes the words of these accounts ready. */
  const load = Effect.fnUntraced(function* (rows: ReadonlyArray<RuleRow>) {
    const made = new Map<number, WordFinder>()
    const ids = rows.map(({ accountId }) => accountId)
    if (ids.length === 0) return made
    const lists = yield* sql<ListRow>`
      select account_id as "accountId", name::text as name, words from watched_words_list
      where account_id = any(${ids}::integer[]) order by id`
    for (const { accountId, version } of rows) {
      if (version === null) continue
      const own = lists.filter((list) => list.accountId === accountId)
      made.set(accountId, finders.add(accountId, version, own))
    }
    return made
  })

  const kept = ({ accountId, version }: RuleRow): WordFinder | undefined =>
    version === null ? findNothing : finders.get(accountId, version)

  const policy = (id: AutomaticTagPolicy) => sql`array(
    select lower(p.name::text) from automatic_tag_policy p where p.account_id = u.id and p.policy = ${id}::smallint
  )`

  return Effect.fnUntraced(function* (
    accountIds: ReadonlyArray<number>
  ): Effect.fn.Return<ReadonlyMap<number, TagRules>, SqlError> {
    const rows = yield* sql<RuleRow>`
      select u.id as "accountId", wire_host(wire_origin()) as "ownHost", v.version::text as version,
        ${policy(AutomaticTagPolicy.reviewComment)} as review, ${policy(AutomaticTagPolicy.blockVideo)} as block
      from (select distinct unnest(${accountIds}::integer[]) as id) u
        left join watched_words_version v on v.account_id = u.id`
    const ready = rows.map(kept)
    const made = yield* load(rows.filter((_, nth) => ready[nth] === undefined))
    return new Map(
      rows.map((row, nth) => {
        const find = ready[nth] ?? made.get(row.accountId) ?? findNothing
        return [row.accountId, ruleOf(row, find)] as const
      })
    )
  })
}
