import { Context, type Effect } from "effect"

/** Who may register here, as pages say it. */
export class PageSignup extends Context.Service<
  PageSignup,
  {
    /** Whether registration is open at all, and to this network address. */
    readonly shown: (
      address: string | undefined
    ) => Effect.Effect<{ readonly allowed: boolean; readonly allowedForCurrentIP: boolean }>
    /** A moderator looks at each registration, and wants to read why. */
    readonly requiresApproval: boolean
    /** A link in a mail has to be followed before the first login. */
    readonly verifiesEmail: boolean
    readonly minimumAge: number
    /** Registration is switched on, full or not. */
    readonly isOffered: boolean
    /** Links can be mailed. */
    readonly sendsMail: boolean
  }
>()("@kinora/node/pages/PageSignup") {}
