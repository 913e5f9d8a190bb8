import { OwnershipLists } from "@kinora/storage/video/ownership/OwnershipLists"
import { OwnershipRequests } from "@kinora/storage/video/ownership/OwnershipRequests"
import { OwnershipTransfers } from "@kinora/storage/video/ownership/OwnershipTransfers"
import { Recipients } from "@kinora/storage/video/ownership/Recipients"
import { Layer } from "effect"
import { Ownership } from "./Ownership.ts"
import { TransferableItems } from "./TransferableItems.ts"

/** Transfers of videos and channels. Needs `SqlClient`, `KinoraConfig`, `ChannelRows` and `VideoPermissions`. */
export const OwnershipServices = Layer.mergeAll(
  OwnershipLists.layer,
  TransferableItems.layer,
  Ownership.layer.pipe(Layer.provide([OwnershipRequests.layer, OwnershipTransfers.layer, Recipients.layer]))
)
