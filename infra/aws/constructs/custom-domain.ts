// The custom domain of the API, with a certificate and a DNS record.

import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGateway } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { Deployment } from '../../manifest/stages.ts';
import { transportSecurity } from './api.ts';

export class CustomDomain extends Construct {
  constructor(
    scope: Construct,
    id: string,
    {
      restApi,
      domain,
    }: { restApi: apigateway.RestApi; domain: NonNullable<Deployment['customDomain']> },
  ) {
    super(scope, id);
    const zone = HostedZone.fromHostedZoneAttributes(this, 'zone', domain);
    const certificate = new Certificate(this, 'certificate', {
      domainName: domain.name,
      validation: CertificateValidation.fromDns(zone),
    });
    restApi.addDomainName('domain', {
      domainName: domain.name,
      certificate,
      endpointType: apigateway.EndpointType.REGIONAL,
      ...transportSecurity,
    });
    new ARecord(this, 'record', {
      zone,
      recordName: domain.name,
      target: RecordTarget.fromAlias(new ApiGateway(restApi)),
    });
  }
}
