/**
 * The channel between the nodes of one account: requests and answers as bytes, over one connection
 * per direction, encrypted, between nodes that prove to each other that they know the account's
 * secret. May depend on: operation.
 *
 * <p>A connection begins in the clear. Who opens it sends {@code "ORRERY"}, the version of the
 * protocol (2 bytes) and a nonce (32 bytes); the other sends the same of its own, and its proof (32
 * bytes); the first answers with its proof. A proof is HMAC-SHA256 over the role, the version and
 * both nonces. Of another version only the first 8 bytes are sent. From there on each direction is
 * a row of frames: the length (4 bytes), then AES-256-GCM of the kind (1 byte), the number of the
 * exchange (8 bytes) and the payload. The nonce of a frame is its number in its direction; the
 * keys, one per direction, come of the secret and both nonces by HKDF-SHA256.
 */
@NullMarked
package io.orrery.cluster;

import org.jspecify.annotations.NullMarked;
