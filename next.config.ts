// Next's settings. Headers, hosts and policies are not here but in proxy.ts: what `headers()` says is frozen into the build.
import type { NextConfig } from 'next';
import { readHostConfig } from './lib/server/hosts';

const hosts = readHostConfig(process.env);

const config: NextConfig = {
  poweredByHeader: false,
  devIndicators: false,
  reactStrictMode: true,
  allowedDevOrigins: [hosts.ide],
  // `npm run check` and `npm test` check types, of tests too; the build does not do it a second time.
  typescript: { ignoreBuildErrors: true },
  // proxy.ts sees every request, and Next keeps bodies for it up to this size. It cuts longer ones silently, so this must stay above
  // every route's own limit.
  experimental: { proxyClientMaxBodySize: 64 * 1024 * 1024 },
};

export default config;
