/** Who reads: a logged-in user with its account. */
export interface VideoViewer {
  readonly userId: number
  readonly accountId: number
}

/** Of somebody of another instance: whether what this instance does not follow is listed, too. */
export type Unfollowed = boolean

/** Limits a list to the videos of one account or channel, or to those the reader manages. */
export type VideoScope =
  | { readonly _tag: "Account"; readonly accountId: number; readonly unfollowed?: Unfollowed }
  | { readonly _tag: "Channel"; readonly channelId: number; readonly unfollowed?: Unfollowed }
  /** The account's own, of every state and privacy, with what only those who manage a video see. */
  | {
      readonly _tag: "Mine"
      readonly accountId: number
      /** Whether videos of channels the account works on belong to them. */
      readonly collaborations: boolean
      /** Names of channels: none but theirs. */
      readonly channelNames?: ReadonlyArray<string> | undefined
    }
  | SubscriptionsScope

/** Videos of channels the account follows, or of those in one of its user's groups. */
export interface SubscriptionsScope {
  readonly _tag: "Subscriptions"
  readonly accountId: number
  readonly groupId?: number | undefined
}

/** Collects the values of a statement: text from outside goes here and never into the SQL. */
export class Parameters {
  readonly values: Array<unknown> = []

  /** The placeholder that stands for the value. */
  add(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/** Selects the channels of the scope, as `id`. The group of another user has none. */
export const subscribedChannels = ({ accountId, groupId }: SubscriptionsScope, parameters: Parameters): string => {
  const account = parameters.add(accountId)
  const grouped =
    groupId === undefined
      ? ""
      : `join subscription_group_member g on g.follow_id = f.id and g.group_id = ${parameters.add(groupId)}::int`
  return `select s.id from account m join actor_follow f on f.actor_id = m.actor_id and f.state = 'accepted' ${grouped}
    join video_channel s on s.actor_id = f.target_actor_id where m.id = ${account}::int`
}

/** Videos without a language are asked for by this name. */
export const noLanguage = "_unknown"
