import type { UserRole } from "@kinora/domain/enums/UserRole"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Which users a notification is for. */
export type Recipients =
  | { readonly _tag: "Users"; readonly userIds: ReadonlyArray<number> }
  | {
      readonly _tag: "Roles"
      readonly roles: ReadonlyArray<UserRole>
      /** Users that are none of them. */
      readonly except?: ReadonlyArray<number>
    }
  /** Users of this instance that follow an actor, by the ids of their follows. */
  | {
      readonly _tag: "Followers"
      readonly actorId: number
      /** Exclusive. */
      readonly after: number
      /** Inclusive. */
      readonly upTo: number
      /** A user that is none of them; null: nobody. */
      readonly except: number | null
    }

/** SQL that selects the recipients, as `id`. */
export const selectRecipients = (sql: SqlClient, recipients: Recipients): Fragment => {
  switch (recipients._tag) {
    case "Users":
      return sql`select unnest(${recipients.userIds}::integer[]) as id`
    case "Roles":
      return sql`
        select id from app_user
        where role = any(${recipients.roles}::integer[]) and id <> all(${recipients.except ?? []}::integer[])`
    case "Followers":
      return sql`
        select a.user_id as id from actor_follow f join account a on a.actor_id = f.actor_id
        where f.target_actor_id = ${recipients.actorId} and f.state = 'accepted' and f.id > ${recipients.after}
          and f.id <= ${recipients.upTo} and a.user_id is distinct from ${recipients.except}::integer`
  }
}
