import type { Mail } from "./Mail.ts"

/** What a mail says, before it is laid out. Everything in it is text, whatever people wrote into it. */
export interface Words {
  readonly subject: string
  readonly paragraphs: ReadonlyArray<string>
  /** The one thing to do: an address of this instance, and what the button says. */
  readonly action?: { readonly label: string; readonly link: string }
  /** What somebody wrote, set apart from our own words. Nothing is shown for an empty one. */
  readonly quote?: { readonly title: string; readonly text: string }
  readonly afterwards?: ReadonlyArray<string>
  /** Addresses of this instance, in small print at the end. */
  readonly links?: ReadonlyArray<{ readonly label: string; readonly link: string }>
}

/** What words can name besides the mail's own values. */
export interface Place {
  readonly name: string
  readonly origin: string
}

type Writers = {
  readonly [Kind in Mail["_tag"]]: (mail: Extract<Mail, { readonly _tag: Kind }>, place: Place) => Words
}

const notYou = "If this was not you, ignore this mail: nothing happens without the link."

const verify = (mail: { readonly link: string; readonly username: string }, place: Place): Words => ({
  subject: "Verify your e-mail address",
  paragraphs: [
    `Hello ${mail.username},`,
    `this address was given at ${place.name} (${place.origin}). Please confirm that it is yours.`
  ],
  action: { label: "Verify the address", link: mail.link },
  afterwards: ["The link is good for an hour.", notYou]
})

const writers: Writers = {
  VerifyEmail: verify,
  VerifyRegistration: verify,
  ResetPassword: (mail, place) => ({
    subject: "Set a new password",
    paragraphs: [
      `Hello ${mail.username},`,
      `a new password was asked for, for your account at ${place.name} (${place.origin}).`
    ],
    action: { label: "Set a new password", link: mail.link },
    afterwards: ["The link is good for an hour and works once.", notYou]
  }),
  CreatePassword: (mail, place) => ({
    subject: "Your account is ready: choose a password",
    paragraphs: [
      `Hello ${mail.username},`,
      `an administrator of ${place.name} (${place.origin}) made an account for you. Choose a password to use it.`
    ],
    action: { label: "Choose a password", link: mail.link },
    afterwards: ["The link is good for a week and works once."]
  }),
  RegistrationAccepted: (mail, place) => ({
    subject: "Your registration was accepted",
    paragraphs: [
      `Hello ${mail.username},`,
      `welcome to ${place.name}: your account is ready. Log in with the password you chose when you registered.`
    ],
    action: { label: "Log in", link: `${place.origin}/login` },
    quote: { title: "The moderators say", text: mail.moderationResponse }
  }),
  RegistrationRejected: (mail, place) => ({
    subject: "Your registration was not accepted",
    paragraphs: [`Hello ${mail.username},`, `the moderators of ${place.name} did not accept your registration.`],
    quote: { title: "The moderators say", text: mail.moderationResponse }
  }),
  RegistrationRequested: (mail, place) => ({
    subject: `${mail.username} asks for an account`,
    paragraphs: [`${mail.username} wants to register at ${place.name}. A moderator has to accept or reject it.`],
    quote: { title: "The reason given", text: mail.reason },
    afterwards: [
      "Your app lists those who wait under moderation; over the API they are at " +
        `${place.origin}/api/v1/users/registrations?stateOneOf=1, and docs/registration.md says how to decide.`
    ]
  }),
  UserBlocked: (mail, place) => ({
    subject: "Your account was blocked",
    paragraphs: [`Hello ${mail.username},`, `your account at ${place.name} was blocked by a moderator.`],
    quote: { title: "The reason given", text: mail.reason ?? "" }
  }),
  UserUnblocked: (mail, place) => ({
    subject: "Your account is open again",
    paragraphs: [
      `Hello ${mail.username},`,
      `your account at ${place.name} is no longer blocked. You can log in again.`
    ],
    action: { label: "Log in", link: `${place.origin}/login` }
  }),
  LoginLockedOut: (mail, place) => ({
    subject: "Too many wrong passwords",
    paragraphs: [
      `Hello ${mail.username},`,
      `somebody tried wrong passwords for your account at ${place.name} too often` +
        (mail.ip === null ? "." : `, the last time from ${mail.ip}.`) +
        ` Logging in is refused for ${mail.minutes === 1 ? "a minute" : `${mail.minutes} minutes`}.`
    ],
    afterwards: [
      "If this was not you, your password was not found out. Choose a long one that you use nowhere else, and turn on two-factor authentication."
    ]
  }),
  PasswordChanged: (mail, place) => ({
    subject: "Your password was changed",
    paragraphs: [
      `Hello ${mail.username},`,
      `the password of your account at ${place.name} (${place.origin}) was changed, and everybody who was logged in was logged out.`
    ],
    afterwards: ["If this was not you, ask for a new password at once and tell the moderators."]
  }),
  EmailChanged: (mail, place) => ({
    subject: "Your e-mail address was changed",
    paragraphs: [
      `Hello ${mail.username},`,
      `your account at ${place.name} (${place.origin}) has another e-mail address now. Mail about it no longer comes here.`
    ],
    afterwards: ["If you did not ask for this, tell the moderators at once: somebody else may have your password."]
  }),
  UserExportReady: (mail, place) => ({
    subject: "Your archive is ready",
    paragraphs: [
      `Hello ${mail.username},`,
      `the archive of your data at ${place.name} is ready. Fetch it from the page of your account.`
    ],
    action: { label: "Open your account", link: `${place.origin}/my-account` },
    afterwards: [`It is kept for ${mail.days === 1 ? "a day" : `${mail.days} days`}.`]
  }),
  UserImportFinished: (mail, place) => ({
    subject: "Your archive was imported",
    paragraphs: [
      `Hello ${mail.username},`,
      `the archive you brought to ${place.name} was imported. Videos are still being prepared.`,
      ...mail.results
    ],
    action: { label: "Open your account", link: `${place.origin}/my-account` }
  }),
  UserImportFailed: (mail, place) => ({
    subject: "Your archive could not be imported",
    paragraphs: [`Hello ${mail.username},`, `the archive you brought to ${place.name} could not be imported.`],
    quote: { title: "What went wrong", text: mail.reason },
    action: { label: "Open your account", link: `${place.origin}/my-account` }
  }),
  Contact: (mail, place) => ({
    subject: mail.subject === "" ? `${mail.fromName} wrote to you` : mail.subject,
    paragraphs: [
      `${mail.fromName} (${mail.fromEmail}) wrote this with the contact form of ${place.name} (${place.origin}).`,
      "Nobody has checked that the address is theirs. An answer to this mail goes there."
    ],
    quote: { title: "The message", text: mail.body }
  }),
  Test: (_, place) => ({
    subject: "Test mail",
    paragraphs: [`This is a test: mail from ${place.name} (${place.origin}) reaches you.`]
  })
}

/** The words of a mail. That no kind is forgotten is checked by the compiler. */
export const wordsOf = (mail: Mail, place: Place): Words =>
  (writers[mail._tag] as (mail: Mail, place: Place) => Words)(mail, place)
