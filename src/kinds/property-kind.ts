import type { KindCode } from "./kind-code.js";
import type { KindContract } from "./kind-contract.js";
import type { KindKeywords } from "./kind-keywords.js";
import type { KindModel } from "./kind-model.js";
import type { KindSamples } from "./kind-samples.js";
import type { KindStorage } from "./kind-storage.js";

/**
 * Everything about one kind of property, for every floor above; a kind answers for itself. `T` is its type in the model,
 * `Y` the keywords of its own as YAML has them.
 */
export interface PropertyKind<T, Y = object>
  extends
    KindKeywords<Y>,
    KindModel<T>,
    KindContract<T>,
    KindStorage<T>,
    KindCode<T>,
    KindSamples<T> {}
