import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ActorHandle } from "../ids/ActorHandle.ts"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { field, optional } from "../fields/Field.ts"
import { startReader } from "../requests/Pagination.ts"
import { text } from "../fields/Readers.ts"
import { Docs, type EndpointDocs } from "./Documentation.ts"

const html = { content: "text/html", schema: { type: "string" } } as const
const page = (summary: string): EndpointDocs => ({
  summary,
  answers: {
    200: { description: "The page", ...html },
    404: { description: "A page saying that there is none", ...html }
  }
})
const plainPage = (summary: string): EndpointDocs => ({
  summary,
  answers: { 200: { description: "The page", ...html } }
})

/** A page that has another address by now. */
const moved = (summary: string): EndpointDocs => ({
  summary,
  answers: { 302: { description: "To its page in the working areas", headers: ["Location"] } }
})

const listed = { start: optional(startReader) }
const video = { id: VideoIdOrUuid }
const playlist = {
  id: field(text({ min: 1, max: 36, message: "Must be a valid playlist id", documented: {} }))
}
const actor = { nameWithHost: ActorHandle }

/** What a link in a mail carries. A link that lost a part is answered with 400. */
const link = {
  userId: optional(text({ min: 1, max: 10, message: "Must be the id of a user" })),
  verificationString: optional(text({ min: 1, max: 200, message: "Must be the token that was sent" }))
}
const verification = {
  ...link,
  registrationId: optional(text({ min: 1, max: 10, message: "Must be the id of a registration" })),
  isPendingEmail: optional(text({ min: 1, max: 5, message: "Must be true or false" }))
}
const linkPage = (summary: string): EndpointDocs => ({
  summary,
  answers: {
    200: { description: "The page; opening it changes nothing", ...html },
    400: { description: "A page saying that a part of the link is missing", ...html }
  }
})

const workingArea = { page: field(text({ min: 1, max: 2000, message: "Must be a page", documented: {} })) }

const remote = { uri: optional(text({ min: 1, max: 2000, message: "Must be an address or a handle" })) }

const unsubscribing = { token: optional(text({ min: 1, max: 300, message: "Must be the token that was sent" })) }

/** Pages for browsers: raw routes rendered on the server. */
export class PageRoutes extends HttpApiGroup.make("pages", { topLevel: true })
  .add(
    HttpApiEndpoint.get("homePage", "/", { query: listed }).annotate(Docs, plainPage("Home: the newest videos")),
    HttpApiEndpoint.get("recentlyAddedPage", "/videos/recently-added", { query: listed }).annotate(
      Docs,
      plainPage("Get the newest videos")
    ),
    HttpApiEndpoint.get("trendingPage", "/videos/trending", { query: listed }).annotate(
      Docs,
      plainPage("Videos watched most these days")
    ),
    HttpApiEndpoint.get("localPage", "/videos/local", { query: listed }).annotate(
      Docs,
      plainPage("Get the newest videos of this instance")
    ),
    HttpApiEndpoint.get("aboutPage", "/about").annotate(Docs, plainPage("About the instance")),
    HttpApiEndpoint.get("contactPage", "/about/contact").annotate(Docs, plainPage("Contact the administrator")),
    HttpApiEndpoint.get("homepagePage", "/home").annotate(Docs, {
      summary: "Get the custom homepage",
      answers: {
        200: { description: "The page", ...html },
        302: { description: "There is none: to the newest videos", headers: ["Location"] }
      }
    }),
    HttpApiEndpoint.get("aboutInstancePage", "/about/instance").annotate(
      Docs,
      plainPage("About the instance, under its older address")
    ),
    HttpApiEndpoint.get("watchPageShort", "/w/:id", { params: video }).annotate(Docs, page("Watch a video")),
    HttpApiEndpoint.get("watchPage", "/videos/watch/:id", { params: video }).annotate(
      Docs,
      page("Watch a video, by its federated address")
    ),
    HttpApiEndpoint.get("playlistPageShort", "/w/p/:id", { params: playlist }).annotate(Docs, page("Watch a playlist")),
    HttpApiEndpoint.get("playlistPage", "/videos/watch/playlist/:id", { params: playlist }).annotate(
      Docs,
      page("Watch a playlist, by its longer address")
    ),
    HttpApiEndpoint.get("accountPageShort", "/a/:nameWithHost", { params: actor }).annotate(
      Docs,
      page("Get an account")
    ),
    HttpApiEndpoint.get("accountPage", "/accounts/:nameWithHost", { params: actor }).annotate(
      Docs,
      page("Get an account, by its federated address")
    ),
    HttpApiEndpoint.get("channelPageShort", "/c/:nameWithHost", { params: actor }).annotate(
      Docs,
      page("Get a channel")
    ),
    HttpApiEndpoint.get("channelPage", "/video-channels/:nameWithHost", { params: actor }).annotate(
      Docs,
      page("Get a channel, by its federated address")
    ),
    HttpApiEndpoint.get("actorPage", "/@:nameWithHost", { params: actor }).annotate(
      Docs,
      page("Get an account or channel")
    ),
    HttpApiEndpoint.get("videoEmbedPage", "/videos/embed/:id", { params: video }).annotate(
      Docs,
      page("Get the player alone, for frames")
    ),
    HttpApiEndpoint.get("playlistEmbedPage", "/video-playlists/embed/:id", { params: playlist }).annotate(
      Docs,
      page("Get the player of a playlist alone, for frames")
    ),
    HttpApiEndpoint.get("myPlaylistsPage", "/my-library/video-playlists").annotate(
      Docs,
      plainPage("Get the user's own playlists, filled in by the browser")
    ),
    HttpApiEndpoint.get("myPlaylistPage", "/my-library/video-playlists/:id", { params: playlist }).annotate(
      Docs,
      plainPage("Get one of the user's playlists, where it is put in order")
    ),
    HttpApiEndpoint.get("loginPage", "/login").annotate(Docs, plainPage("Log in")),
    HttpApiEndpoint.get("myAccountPage", "/my-account").annotate(Docs, moved("The user's own account")),
    HttpApiEndpoint.get("myNotificationsPage", "/my-account/notifications").annotate(
      Docs,
      plainPage("Notifications and their settings, filled in by the browser")
    ),
    HttpApiEndpoint.get("subscriptionsPage", "/videos/subscriptions").annotate(
      Docs,
      moved("What the user follows, under its older address")
    ),
    HttpApiEndpoint.get("unsubscribePage", "/unsubscribe", { query: unsubscribing }).annotate(
      Docs,
      linkPage("Ask to confirm the end of a kind of emails, by the link in one")
    ),
    HttpApiEndpoint.post("unsubscribe", "/unsubscribe", { query: unsubscribing }).annotate(
      Docs,
      linkPage("Unsubscribe from a kind of emails with one click (RFC 8058)")
    ),
    HttpApiEndpoint.get("signupPage", "/signup").annotate(
      Docs,
      plainPage("Register; where that is closed, the page says so")
    ),
    HttpApiEndpoint.get("verifyEmailPage", "/verify-account/email", { query: verification }).annotate(
      Docs,
      linkPage("Verify an address, by the link in a mail")
    ),
    HttpApiEndpoint.get("askVerificationPage", "/verify-account/ask-send-email").annotate(
      Docs,
      plainPage("Request another email that verifies an address")
    ),
    HttpApiEndpoint.get("resetPasswordPage", "/reset-password", { query: link }).annotate(
      Docs,
      linkPage("Set a new password, by the link in a mail; without one, ask for it")
    ),
    HttpApiEndpoint.get("federationPage", "/admin/federation").annotate(
      Docs,
      moved("Followers and followed instances, under their older address")
    ),
    HttpApiEndpoint.get("deliveriesPage", "/admin/federation/hosts").annotate(
      Docs,
      moved("Deliveries to other instances, under their older address")
    ),
    HttpApiEndpoint.get("remoteInteractionPage", "/remote-interaction", { query: remote }).annotate(Docs, {
      summary: "Open something remote on this instance (WebFinger: subscribe)",
      answers: {
        200: { description: "The page; the browser looks it up", ...html },
        302: { description: "It is of this instance: to its page", headers: ["Location"] },
        400: { description: "A page saying that the link is broken", ...html }
      }
    }),
    HttpApiEndpoint.get("testEmbedPage", "/videos/test-embed").annotate(Docs, plainPage("Try the embedded player")),
    HttpApiEndpoint.get("testPlaylistEmbedPage", "/video-playlists/test-embed").annotate(
      Docs,
      plainPage("Try the embedded player of playlists")
    ),
    HttpApiEndpoint.get("myPages", "/my/:page", { params: workingArea }).annotate(
      Docs,
      page("Work on one's own videos, drawn by the browser")
    ),
    HttpApiEndpoint.get("studioPages", "/studio/:page", { params: workingArea }).annotate(
      Docs,
      page("Studio, drawn by the browser")
    ),
    HttpApiEndpoint.get("adminPages", "/admin/:page", { params: workingArea }).annotate(
      Docs,
      page("Moderation and administration, drawn by the browser")
    )
  )
  .annotate(OpenApi.Title, "HTML Pages") {}
