{
  description = "conductor: workflows kept in files, served as MCP tools";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forAllSystems = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
    in
    {
      devShells = forAllSystems (pkgs: {
        default = pkgs.mkShell { packages = [ pkgs.nodejs_22 pkgs.git pkgs.python3 pkgs.gnumake pkgs.gcc ]; };
      });

      packages = forAllSystems (pkgs: {
        default = pkgs.buildNpmPackage {
          pname = "conductor-mcp";
          version = (builtins.fromJSON (builtins.readFile ./package.json)).version;
          src = self;
          nodejs = pkgs.nodejs_22;
          nativeBuildInputs = [ pkgs.python3 pkgs.makeWrapper ];
          # Replaced by importNpmLock: no hash to keep in step with the lock file.
          npmDeps = pkgs.importNpmLock { npmRoot = ./.; };
          npmConfigHook = pkgs.importNpmLock.npmConfigHook;
        };
      });
    };
}
