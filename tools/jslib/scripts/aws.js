import { AWSConfig, Endpoint, S3Client, SignatureV4 } from 'https://jslib.k6.io/aws/0.13.0/index.js';

const config = new AWSConfig({
  region: 'eu-west-1',
  accessKeyId: 'AKIDAKIDAKIDAKIDAKID',
  secretAccessKey: 'SECRETSECRETSECRETSECRETSECRETSECRETSECR',
});

export default async function () {
  const signature = new SignatureV4({
    service: 's3',
    region: config.region,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    uriEscapePath: false,
    applyChecksum: true,
  });
  const request = { method: 'GET', endpoint: new Endpoint('https://b.s3.amazonaws.com'), path: '/k', headers: {}, query: {} };
  const signed = signature.sign(request, { signingDate: new Date(0) });
  console.log(signed.url, signed.headers.Authorization || signed.headers.authorization);
  console.log(typeof new S3Client(config).getObject);
}
