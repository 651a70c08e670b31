// Next's settings. Headers, hosts and policies are not here but in proxy.ts: what `headers()` says is frozen into the build.
import type { NextConfig } from 'next';
import { readChatEnvironment } from './lib/server/chat-environment';
import { readEmbedders } from './lib/server/embedders';
import { readFetchEnvironment } from './lib/server/fetch-environment';
import { readHostConfig } from './lib/server/hosts';
import { readMcpEnvironment } from './lib/server/mcp-environment';
import { readNpmEnvironment } from './lib/server/npm-environment';
import { readSearchEnvironment } from './lib/server/search';

const hosts = readHostConfig(process.env);

// A wrong setting stops the server's start, where the operator sees it, and not the first visitor's request.
for (const read of [
  readChatEnvironment,
  readEmbedders,
  readFetchEnvironment,
  readMcpEnvironment,
  readNpmEnvironment,
  readSearchEnvironment,
])
  read(process.env);

const config: NextConfig = {
  poweredByHeader: false,
  devIndicators: false,
  reactStrictMode: true,
  // No page uses Next's image server; without this it would answer to everybody.
  images: { unoptimized: true },
  allowedDevOrigins: [hosts.ide],
  // `npm run check` and `npm test` check types, of tests too; the build does not do it a second time.
  typescript: { ignoreBuildErrors: true },
  // proxy.ts sees every request, and Next keeps bodies for it up to this size. It cuts longer ones silently, so this must stay above
  // every route's own limit.
  experimental: { proxyClientMaxBodySize: 64 * 1024 * 1024 },
};

export default config;
