import { Schema } from "effect"

/** Largest value of a PostgreSQL `integer`, the type of every row id. */
export const maxId = 2_147_483_647

const RowId = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxId }))

/** Row id of a video, 1 to 2^31 - 1. */
export const VideoId = RowId.pipe(Schema.brand("VideoId"))
export type VideoId = typeof VideoId.Type

/** Row id of an account, the main actor of a user. */
export const AccountId = RowId.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** Row id of a video channel. */
export const ChannelId = RowId.pipe(Schema.brand("ChannelId"))
export type ChannelId = typeof ChannelId.Type

/** Row id of a user: who can log in. */
export const UserId = RowId.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** Row id of a session: one access token with its refresh token. */
export const TokenId = RowId.pipe(Schema.brand("TokenId"))
export type TokenId = typeof TokenId.Type
