package io.orrery.server;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraintValidatorException;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.asn1.x509.PKIXNameConstraintValidator;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes certificates: an authority for clients to trust, and what it signs for this server. */
final class CertificateAuthority {
  static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);

  /** Some clients refuse certificates that live longer than about thirteen months. */
  static final Duration SERVER_LIFE = Duration.ofDays(397);

  /** Clocks of clients may be behind ours. */
  private static final Duration CLOCK_SLACK = Duration.ofDays(1);

  private static final int SERIAL_BITS = 128;

  private CertificateAuthority() {}

  /**
   * An authority that can speak for these names and for loopback only: whoever steals its key
   * cannot pose as anybody else to those who trust it.
   */
  static Certificate make(Collection<String> hosts, Instant now) {
    try {
      KeyPair pair = keyPair();
      X500Name name = new X500Name("CN=Orrery local authority,O=Orrery");
      var builder = builder(name, name, pair, now, AUTHORITY_LIFE);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      builder.addExtension(Extension.nameConstraints, true, constraints(hosts));
      return signed(builder, pair, pair);
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException("certificate authority cannot be made", e);
    }
  }

  static Certificate serverCertificate(
      Certificate authority, Collection<String> hosts, Instant now) {
    try {
      KeyPair pair = keyPair();
      X500Name issuer =
          X500Name.getInstance(authority.certificate().getSubjectX500Principal().getEncoded());
      var builder = builder(issuer, new X500Name("CN=localhost,O=Orrery"), pair, now, SERVER_LIFE);
      var extensions = new JcaX509ExtensionUtils();
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          extensions.createAuthorityKeyIdentifier(authority.certificate()));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              hosts.stream().map(CertificateAuthority::name).toArray(GeneralName[]::new)));
      KeyPair signer = new KeyPair(authority.certificate().getPublicKey(), authority.key());
      return signed(builder, pair, signer);
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException("server certificate cannot be made", e);
    }
  }

  private static NameConstraints constraints(Collection<String> hosts) {
    var permitted = new ArrayList<GeneralSubtree>();
    for (String range : List.of("127.0.0.0/8", "0:0:0:0:0:0:0:1/128")) {
      permitted.add(new GeneralSubtree(new GeneralName(GeneralName.iPAddress, range)));
    }
    for (String host : hosts) {
      GeneralName name =
          isAddress(host)
              ? new GeneralName(GeneralName.iPAddress, host + (host.contains(":") ? "/128" : "/32"))
              : name(host);
      permitted.add(new GeneralSubtree(name));
    }
    return new NameConstraints(permitted.toArray(GeneralSubtree[]::new), null);
  }

  /** Whether the authority may sign for all of these; one of before knows no bounds. */
  static boolean covers(Certificate authority, Collection<String> hosts) {
    byte[] extension = authority.certificate().getExtensionValue(Extension.nameConstraints.getId());
    if (extension == null) {
      return true;
    }
    var constraints =
        NameConstraints.getInstance(ASN1OctetString.getInstance(extension).getOctets());
    var validator = new PKIXNameConstraintValidator();
    validator.intersectPermittedSubtree(constraints.getPermittedSubtrees());
    try {
      for (String host : hosts) {
        validator.checkPermitted(name(host));
      }
      return true;
    } catch (NameConstraintValidatorException outside) {
      return false;
    }
  }

  private static GeneralName name(String host) {
    return new GeneralName(isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName, host);
  }

  private static boolean isAddress(String host) {
    return host.contains(":") || host.matches("[0-9.]+");
  }

  private static KeyPair keyPair() throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, KeyPair pair, Instant now, Duration life)
      throws GeneralSecurityException, IOException {
    var builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0),
            Date.from(now.minus(CLOCK_SLACK)),
            Date.from(now.plus(life).minus(CLOCK_SLACK)),
            subject,
            pair.getPublic());
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
    return builder;
  }

  private static Certificate signed(
      JcaX509v3CertificateBuilder builder, KeyPair pair, KeyPair signer)
      throws GeneralSecurityException, OperatorCreationException {
    var signature = new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate());
    return new Certificate(
        new JcaX509CertificateConverter().getCertificate(builder.build(signature)),
        pair.getPrivate());
  }
}
