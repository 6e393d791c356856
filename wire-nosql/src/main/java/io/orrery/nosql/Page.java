package io.orrery.nosql;

import io.orrery.operation.Bytes;

/** An answer outside the protocol, such as metrics or the certificate. */
public record Page(int status, String contentType, Bytes content) {}
