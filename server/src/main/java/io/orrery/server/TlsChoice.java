package io.orrery.server;

import java.nio.file.Path;

/** Which certificate the server shows. */
sealed interface TlsChoice {

  /** One signed by an authority that the server made for itself. */
  record OwnAuthority() implements TlsChoice {}

  /** None: plain HTTP only. */
  record Off() implements TlsChoice {}

  /** One that the user brought, in PEM files. */
  record Files(Path certificate, Path key) implements TlsChoice {}
}
