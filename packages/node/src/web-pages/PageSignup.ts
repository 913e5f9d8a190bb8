import { Context, type Effect } from "effect"

/** Who may register here, for display on pages. */
export class PageSignup extends Context.Service<
  PageSignup,
  {
    /** Whether registration is open at all, and for this network address. */
    readonly shown: (
      address: string | undefined
    ) => Effect.Effect<{ readonly allowed: boolean; readonly allowedForCurrentIP: boolean }>
    /** A moderator decides on each registration, and wants a reason. */
    readonly requiresApproval: boolean
    /** The user has to follow a link in a mail before the first login. */
    readonly verifiesEmail: boolean
    readonly minimumAge: number
    /** Registration is enabled, even if the instance is full. */
    readonly isOffered: boolean
    /** Mail is configured, so links can be sent. */
    readonly sendsMail: boolean
  }
>()("@kinora/node/pages/PageSignup") {}
