import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'
import {
  AsnConvert,
  AsnProp,
  AsnPropTypes,
  AsnType,
  AsnTypeTypes,
  OctetString,
} from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  Attribute,
  AttributeTypeAndValue,
  AttributeValue,
  Extension,
  Extensions,
  GeneralName,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
} from '@peculiar/asn1-x509'

/** RFC 2986. */
class RequestInfo {
  version = 0
  subject = new Name()
  subjectPublicKeyInfo = new SubjectPublicKeyInfo()
  attributes: Attribute[] = []
}
AsnType({ type: AsnTypeTypes.Sequence })(RequestInfo)
AsnProp({ type: AsnPropTypes.Integer })(RequestInfo.prototype, 'version')
AsnProp({ type: Name })(RequestInfo.prototype, 'subject')
AsnProp({ type: SubjectPublicKeyInfo })(RequestInfo.prototype, 'subjectPublicKeyInfo')
AsnProp({ type: Attribute, repeated: 'set', implicit: true, context: 0 })(
  RequestInfo.prototype,
  'attributes',
)

class SigningRequest {
  info = new RequestInfo()
  signatureAlgorithm = new AlgorithmIdentifier()
  signature = new ArrayBuffer(0)
}
AsnType({ type: AsnTypeTypes.Sequence })(SigningRequest)
AsnProp({ type: RequestInfo })(SigningRequest.prototype, 'info')
AsnProp({ type: AlgorithmIdentifier })(SigningRequest.prototype, 'signatureAlgorithm')
AsnProp({ type: AsnPropTypes.BitString })(SigningRequest.prototype, 'signature')

const organization = '2.5.4.10'
const commonName = '2.5.4.3'
const extensionRequest = '1.2.840.113549.1.9.14'
const ecdsaWithSha256 = '1.2.840.10045.4.3.2'

/** The request, in PEM, by which a kubelet asks for its serving certificate. */
export function servingRequest(node: string, addresses: readonly string[]): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const request = new SigningRequest()
  request.info.subject = new Name([
    attribute(organization, 'system:nodes'),
    attribute(commonName, `system:node:${node}`),
  ])
  request.info.subjectPublicKeyInfo = AsnConvert.parse(
    publicKey.export({ type: 'spki', format: 'der' }),
    SubjectPublicKeyInfo,
  )
  request.info.attributes = [
    new Attribute({
      type: extensionRequest,
      values: [AsnConvert.serialize(new Extensions([alternativeNames(node, addresses)]))],
    }),
  ]
  request.signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 })
  const body = Buffer.from(AsnConvert.serialize(request.info))
  request.signature = new Uint8Array(sign('sha256', body, privateKey)).buffer
  const lines =
    Buffer.from(AsnConvert.serialize(request))
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`
}

function attribute(type: string, printableString: string): RelativeDistinguishedName {
  return new RelativeDistinguishedName([
    new AttributeTypeAndValue({ type, value: new AttributeValue({ printableString }) }),
  ])
}

function alternativeNames(node: string, addresses: readonly string[]): Extension {
  const names = [
    new GeneralName({ dNSName: node }),
    ...addresses
      .filter((address) => isIP(address))
      .map((iPAddress) => new GeneralName({ iPAddress })),
  ]
  const value = AsnConvert.serialize(new SubjectAlternativeName(names))
  return new Extension({ extnID: id_ce_subjectAltName, extnValue: new OctetString(value) })
}
