# cargue in a container: docker build -t cargue . && docker run --rm -v "$PWD:/data" cargue check nomina.xlsx
FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node src/setup.mjs && npm pack --pack-destination /tmp

FROM node:22-slim
COPY --from=build /tmp/cargue-*.tgz /tmp/
# By the shrinkwrap in the package: every dependency in the version that was tested.
RUN mkdir /opt/cargue && tar -xzf /tmp/cargue-*.tgz -C /opt/cargue --strip-components=1 && rm /tmp/cargue-*.tgz
WORKDIR /opt/cargue
RUN npm pkg delete devDependencies && npm ci --no-audit --no-fund \
  # What a journal in PostgreSQL and a worker need, beside the program: npm does not install its own optional peers.
  && npm install --prefix .. --no-audit --no-fund pg@8 pg-boss@10 pino@10 prom-client@15 openid-client@6 \
  && chmod +x dist/cli/main.js && ln -s /opt/cargue/dist/cli/main.js /usr/local/bin/cargue \
  && install -d -o node -g node /data /workspace
USER node
WORKDIR /data
# The journal of what was sent: give it a volume that outlives the container.
ENV CARGUE_WORKSPACE=/workspace
VOLUME ["/workspace"]
ENTRYPOINT ["cargue"]
CMD ["--help"]
