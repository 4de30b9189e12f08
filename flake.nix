{
  description = "conductor: workflows kept in files, served as MCP tools";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forAllSystems = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
      # What a checkout needs: the native module is compiled.
      tools = pkgs: [ pkgs.nodejs_22 pkgs.git pkgs.python3 pkgs.gnumake pkgs.gcc ];
    in
    {
      devShells = forAllSystems (pkgs: {
        default = pkgs.mkShell { packages = tools pkgs; };
      });

      # The lock file names versions and digests but no addresses, so Nix cannot fetch what it names. The package therefore
      # builds its own copy with npm on the first start, outside the store, and only starts it afterwards.
      packages = forAllSystems (pkgs: {
        default = pkgs.writeShellApplication {
          name = "conductor";
          runtimeInputs = tools pkgs;
          text = ''
            copy="''${XDG_CACHE_HOME:-$HOME/.cache}/conductor/build-${builtins.hashString "sha256" (self.narHash or "local")}"
            if [ ! -e "$copy/dist/main.cjs" ]; then
              mkdir -p "$(dirname "$copy")"
              staged="$(mktemp -d "$copy.XXXXXX")"
              cp -r ${self}/. "$staged"
              chmod -R u+w "$staged"
              (cd "$staged" && npm ci && npm run build -- --program-only) >&2
              rm -rf "$copy"
              mv "$staged" "$copy"
            fi
            exec node "$copy/dist/main.cjs" "$@"
          '';
        };
      });
    };
}
