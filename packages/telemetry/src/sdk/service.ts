import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from "@opentelemetry/resources";

/** Who the process is, as every span and figure carries it. */
export function describeService(service: {
  readonly serviceName?: string | undefined;
  readonly serviceVersion?: string | undefined;
}): Resource {
  const { serviceName = "colloquy", serviceVersion } = service;
  const own = resourceFromAttributes({
    "service.name": serviceName,
    ...(serviceVersion === undefined ? {} : { "service.version": serviceVersion }),
  });
  const found = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] });
  return defaultResource().merge(own).merge(found);
}
